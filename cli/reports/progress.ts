/** Shows how far a run is: by a bar on a terminal, else by a line every 30 seconds. */

import { Presets, SingleBar } from "cli-progress";
import type { Summary } from "zarr-codecs/verify";
import { formatBytes, formatDuration, formatNumber } from "./text.js";

const LINE_INTERVAL = 30_000;
const CLEAR_LINE = "\r\x1b[K";

/** The progress of a run, on standard error. */
export interface Progress {
  update(totals: Summary): void;
  /** Makes room for text on the same terminal. */
  clear(): void;
  end(): void;
}

/** Shows nothing. */
export const SILENT: Progress = { update() {}, clear() {}, end() {} };

/** Shows the progress on standard error. */
export const createProgress = (): Progress => (process.stderr.isTTY ? new Bar() : new Lines());

/** How fast a run has been since its first progress: listing the keys, and an earlier run, took none of that time. */
class Pace {
  #first: { readonly done: number; readonly bytes: number; readonly time: number } | undefined;

  /** Returns the progress in words. */
  textsOf({ done, bytes, total }: Summary) {
    const time = performance.now();
    this.#first ??= { done, bytes, time };
    const seconds = Math.max(1e-3, (time - this.#first.time) / 1000);
    const doneSince = done - this.#first.done;
    const left = doneSince > 0 ? ((total - done) / doneSince) * seconds : undefined;
    return {
      done: formatNumber(done),
      all: formatNumber(total),
      speed: `${formatBytes((bytes - this.#first.bytes) / seconds)}/s`,
      left: left === undefined ? "" : `${formatDuration(left)} left`,
    };
  }
}

class Bar implements Progress {
  readonly #pace = new Pace();
  readonly #bar = new SingleBar(
    {
      format: " {bar} {percentage} % · {done} of {all} · {speed} · {left}",
      hideCursor: true,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  #isStarted = false;

  update(totals: Summary): void {
    const texts = this.#pace.textsOf(totals);
    if (!this.#isStarted) this.#bar.start(Math.max(1, totals.total), 0, texts);
    this.#isStarted = true;
    this.#bar.setTotal(Math.max(1, totals.total));
    this.#bar.update(totals.done, texts);
  }

  clear(): void {
    if (this.#isStarted) process.stderr.write(CLEAR_LINE);
  }

  end(): void {
    if (this.#isStarted) this.#bar.stop();
  }
}

class Lines implements Progress {
  readonly #pace = new Pace();
  #last: number | undefined;

  update(totals: Summary): void {
    const { done, all, speed, left } = this.#pace.textsOf(totals);
    const now = performance.now();
    this.#last ??= now;
    if (now - this.#last < LINE_INTERVAL) return;
    this.#last = now;
    const texts = [`${done} of ${all}`, speed, `${totals.states.damaged} damaged`, left];
    process.stderr.write(`${texts.filter((text) => text !== "").join(", ")}\n`);
  }

  clear(): void {}

  end(): void {}
}
