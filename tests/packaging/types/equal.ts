/** `true` if two types are identical; `any` is identical only to itself. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for `true`. */
export function expectTrue<_ extends true>(): void {}

expectTrue<Equal<Float32Array, Float32Array>>();
// @ts-expect-error: they differ
expectTrue<Equal<Float32Array, Float64Array>>();
// @ts-expect-error: any is not the same as anything
// biome-ignore lint/suspicious/noExplicitAny: the case
expectTrue<Equal<any, Float64Array>>();
