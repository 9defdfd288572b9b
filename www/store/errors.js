// Errors of stores: what could not be read, which says nothing about what is stored; and what has to be chosen.

const UNREADABLE = "UnreadableError";

/** A value that could not be read now; another attempt may succeed. */
export class UnreadableError extends Error {
  /** @override */
  name = UNREADABLE;

  /**
   * @param {string} message
   * @param {{ status?: number, cause?: unknown, mayPass?: boolean }} [details] the status of the server's answer, and
   *   whether the next attempt may succeed without anybody doing anything
   */
  constructor(message, { status, cause, mayPass = false } = {}) {
    super(message, { cause });
    this.status = status;
    this.mayPass = mayPass;
  }
}

/** Tells whether an error, also one of another thread, is no damage. @param {{ name: string }} error */
export const isUnreadable = ({ name }) => name === UNREADABLE;
