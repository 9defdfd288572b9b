/**
 * Wraps an object, overriding some of its members; `undefined` removes one. Other methods are called on the object itself, which is not the target of
 * the proxy, because a proxy cannot override the members of a frozen target.
 */
export function overridden<T extends object>(object: T, overrides: Record<PropertyKey, unknown>): T {
  const isOverridden = (name: PropertyKey) => Object.hasOwn(overrides, name);
  const hasName = (name: PropertyKey) =>
    isOverridden(name) ? overrides[name] !== undefined : Reflect.has(object, name);
  return new Proxy({} as T, {
    get(_, name) {
      if (isOverridden(name)) return overrides[name];
      const value = Reflect.get(object, name, object);
      return typeof value === "function" ? value.bind(object) : value;
    },
    set: (_, name, value) => Reflect.set(object, name, value, object),
    has: (_, name) => hasName(name),
    getPrototypeOf: () => Reflect.getPrototypeOf(object),
    ownKeys: () => [...new Set([...Reflect.ownKeys(object), ...Reflect.ownKeys(overrides)])].filter(hasName),
    getOwnPropertyDescriptor(_, name) {
      if (!hasName(name)) return undefined;
      const descriptor = Reflect.getOwnPropertyDescriptor(isOverridden(name) ? overrides : object, name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}
