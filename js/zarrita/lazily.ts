/** Objects that are created on first use. */

/** Calls a function with such an object. */
export type Lazy<T> = <R>(use: (object: T) => R | Promise<R>) => R | Promise<R>;

/** Creates an object once for concurrent calls, and again after a failure, which may be the network's. */
export function lazily<T extends object>(create: () => Promise<T>): Lazy<T> {
  let object: T | undefined;
  let creating: Promise<T> | undefined;
  return (use) => {
    if (object !== undefined) return use(object);
    creating ??= create().catch((error: unknown) => {
      creating = undefined;
      throw error;
    });
    return creating.then((created) => {
      object = created; // Not before: a synchronous call would overtake those that are waiting.
      return use(created);
    });
  };
}
