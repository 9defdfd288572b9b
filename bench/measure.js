// Times functions against each other, in any JavaScript host.

/** Each function runs at least this long before it is timed: then its code has been compiled for good. */
const WARM_UP_SECONDS = 0.08;

const now = () => performance.now() / 1000;

/** The step of the clock. Browsers make it coarse: 5 to 20 µs in pages that are isolated from others, up to 1 ms elsewhere. */
function clockStep() {
  const steps = Array.from({ length: 5 }, () => {
    const start = now();
    let end = now();
    while (end === start) end = now();
    return end - start;
  });
  return Math.min(...steps);
}

/**
 * How long a sample takes at least. Where the clock is coarse, so many of its steps that it is wrong by 2 % at most; samples
 * begin at any time between two steps, so the median of many is better than that. Not longer: in 2 ms, fresh outputs of
 * 64 KiB come to more than the allocator keeps, and half of the samples measure how memory is taken from the system.
 */
const SAMPLE_SECONDS = Math.max(0.0005, 50 * clockStep());

/** What the last call returned: something has to use it, or a compiler may leave the call out. */
export let sink;

/** The seconds that one of `calls` calls of `run` takes. */
function time(run, calls) {
  const start = now();
  for (let call = 0; call < calls; call += 1) sink = run();
  return (now() - start) / calls;
}

/** Warms `run` up and gives the number of calls that fill a sample. */
function calibrate(run) {
  // The shorter of two: what interrupts one does not interrupt both.
  const shorter = (calls) => Math.min(time(run, calls), time(run, calls));
  const end = now() + WARM_UP_SECONDS;
  let calls = 1;
  let seconds = shorter(calls);
  while (now() < end || seconds * calls < SAMPLE_SECONDS) {
    const fitting = Math.ceil((1.2 * SAMPLE_SECONDS) / Math.max(seconds, 1e-9));
    calls = Math.min(fitting, 10 * calls); // A coarse clock sees nothing of a few calls.
    seconds = shorter(calls);
  }
  return calls;
}

/**
 * Collects what was left before, so that this is not done in the time of a function that did not leave it, where the host
 * lets us ask for it. The young garbage only: after a full collection engines take milliseconds to be as fast as before.
 * Twice, because memory is given back on another thread, and the second collection waits until that is done.
 */
function settle({ run, calls }) {
  time(run, Math.ceil(calls / 2));
  globalThis.gc?.({ type: "minor" });
  globalThis.gc?.({ type: "minor" });
}

/** A new order for each round: what runs before a function leaves its traces in memory and caches. */
function shuffled(entries) {
  const order = new Map(entries.map((entry) => [entry, Math.random()]));
  return entries.toSorted((a, b) => order.get(a) - order.get(b));
}

/**
 * Times each of `functions` once per round, and yields after each round. Returns the seconds per call, an array of as many
 * samples as rounds for each function.
 */
export function* timeInRounds(functions, rounds) {
  globalThis.gc?.(); // Of the cases before.
  const entries = functions.map((run) => ({ run, calls: calibrate(run), samples: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const entry of shuffled(entries)) {
      settle(entry);
      entry.samples.push(time(entry.run, entry.calls));
    }
    yield;
  }
  return entries.map(({ samples }) => samples);
}

/** The median and the quartiles of numbers. */
export function quartiles(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (part) => {
    const place = (sorted.length - 1) * part;
    const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place % 1);
  };
  return { q1: at(0.25), median: at(0.5), q3: at(0.75) };
}

/**
 * Compares the samples of several functions, the first one being ours: seconds per call, and the others' time / ours. Each
 * round has a ratio of its own, of samples taken under the same conditions; the quartiles are those of all rounds' ratios.
 */
export function compare([ours, ...others]) {
  const against = (samples) => ({
    seconds: quartiles(samples),
    ratio: quartiles(samples.map((sample, round) => sample / ours[round])),
    later: quartiles(samples.map((sample, round) => ours[round] - sample)),
  });
  return [{ seconds: quartiles(ours) }, ...others.map(against)];
}
