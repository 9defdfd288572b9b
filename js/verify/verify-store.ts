/** Verifies a store: walks its groups and arrays, and checks every unit. */

import { type Awaitable, isPromise } from "../awaitable.js";
import type { CheckOutcome } from "../core.js";
import { InvalidMetadataError } from "../errors.js";
import {
  findArray,
  findNodes,
  type Hierarchy,
  type Listing,
  missingRoot,
  readNodeOrProblem,
} from "../store/hierarchy.js";
import { ArrayUnits } from "./array-units.js";
import { Plan } from "./plan.js";
import { Requests } from "./requests.js";
import { problemResult, resultsOf, unlistedResult } from "./results.js";
import { expectResumable, readSettings, type Settings } from "./settings.js";
import { KnownKeys } from "./strays.js";
import { type RunFacts, Tally } from "./tally.js";
import type { StoreEntry, Summary, UnitResult, VerifiableStore, VerifyOptions } from "./types.js";

/** How long to go on, in milliseconds, before others on this thread get their turn, and between calls of `onProgress`. */
const TURN = 50;
const PROGRESS_INTERVAL = 100;

/** How much memory units that are under way may take together, in bytes, unless there is only one. */
const MEMORY = 2 ** 27;

/**
 * Verifies a store: reads every chunk of every array, and returns what is not plainly sound.
 *
 * Finds arrays by consolidated metadata, by listing the store where it can, and by the metadata of OME-Zarr. Reads bytes that are
 * wrong again before it calls them damaged. Verifies a unit (a chunk, or a whole shard) only when its result, or that of a later
 * one, is asked for; nothing is read in advance but as many units as `concurrency` says.
 *
 * @returns an iterator over the results, which returns the summary
 * @throws InvalidMetadataError (the store has no group or array), InvalidArgumentError, and what `store.list` throws
 * @example
 * ```ts
 * import { createCodecChain } from "zarr-codecs";
 * import { verifyStore } from "zarr-codecs/verify";
 *
 * const codecs = ["bytes", "crc32c"];
 * const metadata = {
 *   zarr_format: 3,
 *   node_type: "array",
 *   shape: [4],
 *   data_type: "uint8",
 *   chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
 *   chunk_key_encoding: { name: "default" },
 *   fill_value: 0,
 *   codecs,
 * };
 * const chunk = createCodecChain({ dataType: "uint8", shape: [2], codecs }).encode(Uint8Array.of(1, 2));
 * const store = new Map([
 *   ["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))],
 *   ["/c/0", chunk],
 *   ["/c/1", Uint8Array.from(chunk).fill(3, 0, 1)],
 * ]);
 *
 * const results = verifyStore(store);
 * let next = await results.next();
 * while (!next.done) {
 *   const { key, state, error } = next.value;
 *   [key, state, error?.code]; // => ["c/1", "damaged", "checksum_mismatch"]
 *   next = await results.next();
 * }
 * next.value.verdict; // => "damaged"
 * next.value.proofs.checksum; // => 1
 * ```
 */
export async function* verifyStore(
  store: VerifiableStore,
  options?: VerifyOptions,
): AsyncGenerator<UnitResult, Summary, void> {
  const settings = readSettings(options);
  const run = new Run(store, settings);
  const { signal } = settings;
  const abort = () => run.end(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", abort);
  try {
    return yield* run.results();
  } finally {
    signal?.removeEventListener("abort", abort);
    run.end(new Error("the verification has ended"));
  }
}

/** A unit that is being verified. */
interface UnderWay {
  readonly array: ArrayUnits;
  readonly position: readonly number[];
  readonly outcome: Awaitable<CheckOutcome>;
}

/** One call of `verifyStore`. */
class Run {
  readonly #store: VerifiableStore;
  readonly #settings: Settings;
  readonly #requests: Requests;
  readonly #listing = new AbortController();
  readonly #tally: Tally;

  constructor(store: VerifiableStore, settings: Settings) {
    this.#store = store;
    this.#settings = settings;
    this.#requests = new Requests(store, settings);
    this.#tally = new Tally(settings.resume);
  }

  /** Ends all requests. */
  end(reason: unknown): void {
    this.#requests.end(reason);
    this.#listing.abort(reason);
  }

  async *results(): AsyncGenerator<UnitResult, Summary, void> {
    const { array, part, sample, resume } = this.#settings;
    const { hierarchy, arrays } = await this.#load();
    const plan = new Plan(arrays, this.#settings);
    const facts: RunFacts = {
      part,
      ...(sample && { sample }),
      plan: plan.name,
      total: plan.total,
      nodes: hierarchy.nodes.length,
    };
    if (resume) expectResumable(resume, plan.name, part);
    else yield* this.#problems(hierarchy);
    yield* this.#units(plan, facts);
    const isComplete = this.#tally.done === plan.total && !this.#isStopped;
    const isStrayKnown = array === undefined && part.index === 0 && !resume?.complete;
    if (isComplete && isStrayKnown) yield* this.#strays(hierarchy, arrays);
    return this.#tally.summary(facts, isComplete);
  }

  #find(): Promise<Hierarchy> {
    const { array } = this.#settings;
    return array === undefined ? findNodes(this.#requests, this.#list()) : findArray(this.#requests, array);
  }

  get #isStopped(): boolean {
    return this.#settings.stop?.aborted ?? false;
  }

  #list(): Listing<StoreEntry> | undefined {
    return this.#store.list?.({ signal: this.#listing.signal });
  }

  /** Finds nodes, and loads arrays: those whose metadata are wrong are problems. Keeps no more of metadata than that takes. */
  async #load(): Promise<{ hierarchy: Hierarchy; arrays: ArrayUnits[] }> {
    const { nodes, problems: found, unread } = await this.#find();
    if (nodes.length + found.length === 0) throw await missingRoot(this.#requests);
    const { codecs, retries, missing, all } = this.#settings;
    const verifying = {
      requests: this.#requests,
      store: this.#requests.asStore(),
      codecs,
      options: { retries, missing: missing !== "allow", sound: all === "inner" },
    };
    const arrays: ArrayUnits[] = [];
    const problems = [...found];
    for (const node of nodes) {
      if (node.metadata.node_type !== "array") continue;
      try {
        arrays.push(await ArrayUnits.load(node, verifying));
      } catch (error) {
        if (!(error instanceof InvalidMetadataError)) throw error;
        problems.push({ path: node.path, error });
      }
    }
    const bare = nodes.map(({ path, metadata: { node_type } }) => ({ path, metadata: { node_type } }));
    return { hierarchy: { nodes: bare, problems, unread }, arrays };
  }

  /** Yields the part's share of metadata that are wrong. */
  async *#problems({ nodes, problems, unread }: Hierarchy): AsyncGenerator<UnitResult> {
    for (const problem of this.#share(problems)) yield this.#counted(problemResult(problem));
    const paths = new Set(problems.map(({ path }) => path));
    for (const { path } of this.#share(nodes)) {
      const namedBy = unread.get(path);
      if (namedBy === undefined || paths.has(path)) continue;
      // Until now, its metadata are those that were found in a group.
      const node = (await readNodeOrProblem(this.#requests, path)) ?? { path, namedBy };
      if (!("metadata" in node)) yield this.#counted(problemResult(node));
    }
  }

  #share<T>(items: readonly T[]): readonly T[] {
    const { index, count } = this.#settings.part;
    return items.filter((_, i) => i % count === index);
  }

  /** Yields the results of chunks and shards, in the order of the plan, so that what is done is one number. */
  async *#units(plan: Plan, facts: RunFacts): AsyncGenerator<UnitResult, void> {
    const { concurrency, onProgress } = this.#settings;
    const queue: UnderWay[] = [];
    let begun = this.#tally.done;
    let memory = 0;
    let [turn, reported] = [Date.now(), Date.now()];
    for (;;) {
      while (queue.length < concurrency && begun < plan.total && !this.#isStopped) {
        const { array, position } = plan.at(begun);
        if (queue.length > 0 && memory + array.memory > MEMORY) break;
        begun += 1;
        memory += array.memory;
        const unit: UnderWay = { array, position, outcome: array.verify(position) };
        queue.push(unit);
        // What is known at once need not be queued.
        if (queue.length === 1 && !isPromise(unit.outcome)) break;
        if (isPromise(unit.outcome)) unit.outcome.catch(() => {}); // Thrown when its turn comes.
      }
      const next = queue.shift();
      if (next === undefined) return;
      memory -= next.array.memory;
      const outcome = isPromise(next.outcome) ? await next.outcome : next.outcome;
      this.#settings.signal?.throwIfAborted();
      const results = this.#finished(next, outcome);
      if (results.length > 0) yield* results;
      const now = Date.now();
      if (now - turn >= TURN) {
        await pause();
        turn = Date.now();
      }
      this.#settings.signal?.throwIfAborted();
      if (onProgress === undefined || now - reported < PROGRESS_INTERVAL) continue;
      onProgress(this.#tally.summary(facts, false));
      reported = now;
    }
  }

  /** Counts a unit, and returns its results. */
  #finished({ array, position }: UnderWay, outcome: CheckOutcome): readonly UnitResult[] {
    const results = resultsOf(outcome, this.#settings, array, position);
    this.#tally.add(outcome.state, outcome.proof);
    this.#tally.addChecked(outcome.chunks, outcome.byteLength ?? 0);
    if (results.length > 0) this.#tally.addResults(results);
    return results;
  }

  async *#strays(hierarchy: Hierarchy, arrays: readonly ArrayUnits[]): AsyncGenerator<UnitResult, void> {
    const keys = new KnownKeys(hierarchy, arrays);
    for await (const { key, error } of this.#list() ?? []) {
      const result = error === undefined ? keys.strayOf(key) : unlistedResult(key, error);
      if (result) yield this.#counted(result);
    }
  }

  #counted(result: UnitResult): UnitResult {
    this.#tally.add(result.state, result.proof);
    this.#tally.addResults([result]);
    return result;
  }
}

/** Gives others on this thread their turn. Falls back to a timer, which waits at least a millisecond. */
function pause(): Promise<void> {
  const { setImmediate = setTimeout } = globalThis as { setImmediate?: (resolve: () => void) => void };
  return new Promise((resolve) => setImmediate(resolve));
}
