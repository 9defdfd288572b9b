/** What a check found out, as plain data. */

import type { UnitError } from "./types.js";

/** The members of errors that a result names. */
const FIELDS = ["status", "range", "path", "expected", "actual", "stored", "computed", "diagnosis"];

/** Returns an error as plain data. */
export function plainError(error: unknown): UnitError {
  const { code, message } = error as { code: string; message: string };
  const fields = FIELDS.map((name) => [name, (error as Record<string, unknown>)[name]]);
  const known = fields.filter(([, value]) => value !== undefined);
  return { code, message, ...structuredClone(Object.fromEntries(known)) };
}
