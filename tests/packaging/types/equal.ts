/** Whether two types are the same, `any` included. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles for `true` only. */
export function expectTrue<_ extends true>(): void {}

expectTrue<Equal<Float32Array, Float32Array>>();
// @ts-expect-error: they differ
expectTrue<Equal<Float32Array, Float64Array>>();
// @ts-expect-error: any is not the same as anything
// biome-ignore lint/suspicious/noExplicitAny: the case
expectTrue<Equal<any, Float64Array>>();
