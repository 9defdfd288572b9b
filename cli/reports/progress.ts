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

class Bar implements Progress {
  readonly #start = performance.now();
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
    if (!this.#isStarted) this.#bar.start(Math.max(1, totals.total), 0, texts(totals, this.#start));
    this.#isStarted = true;
    this.#bar.setTotal(Math.max(1, totals.total));
    this.#bar.update(totals.done, texts(totals, this.#start));
  }

  clear(): void {
    if (this.#isStarted) process.stderr.write(CLEAR_LINE);
  }

  end(): void {
    if (this.#isStarted) this.#bar.stop();
  }
}

class Lines implements Progress {
  readonly #start = performance.now();
  #last = performance.now();

  update(totals: Summary): void {
    if (performance.now() - this.#last < LINE_INTERVAL) return;
    this.#last = performance.now();
    const { done, all, speed, left } = texts(totals, this.#start);
    process.stderr.write(`${done} of ${all}, ${speed}, ${totals.states.damaged} damaged, ${left}\n`);
  }

  clear(): void {}

  end(): void {}
}

let first: { done: number; bytes: number } | undefined;

function texts(totals: Summary, start: number) {
  // What an earlier run did took none of this one's time.
  first ??= totals;
  const seconds = Math.max(1e-3, (performance.now() - start) / 1000);
  const done = totals.done - first.done;
  const left = done > 0 ? ((totals.total - totals.done) / done) * seconds : undefined;
  return {
    done: formatNumber(totals.done),
    all: formatNumber(totals.total),
    speed: `${formatBytes((totals.bytes - first.bytes) / seconds)}/s`,
    left: left === undefined ? "" : `${formatDuration(left)} left`,
  };
}
