/** A store that failed, however often it was asked. */

/** Thrown by a store that repeats requests: the last one failed, too. */
export class UnreadableError extends Error {
  readonly code: "unreadable" | "timeout";
  /** The status of the store's error, as of HTTP. */
  readonly status: number | undefined;

  constructor(cause: unknown, code: "unreadable" | "timeout" = "unreadable") {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    const { status } = Object(cause) as { status?: unknown };
    this.code = code;
    this.status = typeof status === "number" ? status : undefined;
  }
}
