/** `zarr-codecs verify`: is every chunk of a store sound? */

import type { Summary, UnitResult } from "zarr-codecs/verify";
import { readVerifyRequest, type VerifyRequest } from "./options.js";
import type { RunLine } from "./reports/jsonl.js";
import { continueReport, type Earlier, readEarlier } from "./reports/resume.js";
import { formatDuration } from "./reports/text.js";
import type { Run } from "./run.js";
import { CHANGED, type Share } from "./shares/messages.js";
import { Pool, ShareError, sharesOf } from "./shares/pool.js";
import { Threads } from "./shares/threads.js";
import { INCOMPLETE, statusOf } from "./status.js";
import { isMetadata, METADATA } from "./stores/keys.js";
import { openStore } from "./stores/open.js";
import { type OpenedStore, StoreError } from "./stores/store.js";

const NOT_LISTED =
  "The keys were not listed (--no-list): stray keys and arrays that no metadata name are not found.";

const NO_ROOT =
  "There is no zarr.json at the root: readers find only the groups and arrays below it, by their own paths.";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs the command. Returns its exit status. */
export async function verify(args: readonly string[]): Promise<number> {
  const request = readVerifyRequest(args);
  const threads = new Threads();
  threads.start(request.workers);
  try {
    return await verifyBy(threads, request);
  } finally {
    await threads.end();
  }
}

async function verifyBy(threads: Threads, { settings, ...read }: VerifyRequest): Promise<number> {
  const store = await openStore(read.location, settings);
  const request: VerifyRequest = { ...read, settings: { ...settings, directory: store.directory } };
  const nodeKeys = request.list ? await listNodes(store) : undefined;
  const limits = [...(store.limits ?? []), ...limitsOf(request, nodeKeys)];
  store.close?.();
  const { run, shares } = await prepare(request, store.name, nodeKeys);
  const stopped = await verifyShares(threads, request, run, shares).catch((error) => {
    run.abandon();
    throw error;
  });
  if (!run.hasReported) {
    run.warn(`nothing was verified: ${stopped}`);
    return INCOMPLETE;
  }
  return statusOf(run.end(limits, stopped));
}

/** Lists the keys of metadata once for all threads; undefined where the store cannot list. @throws StoreError */
async function listNodes(store: OpenedStore): Promise<string[] | undefined> {
  try {
    if (store.nodeKeys) return [...store.nodeKeys()];
    if (store.list === undefined) return undefined;
    const keys: string[] = [];
    for await (const { key } of store.list()) {
      if (isMetadata(key)) keys.push(key);
    }
    return keys;
  } catch (error) {
    throw new StoreError(`${store.name}: ${(error as Error).message}`);
  }
}

function limitsOf({ list }: VerifyRequest, nodeKeys: readonly string[] | undefined): string[] {
  if (!list) return [NOT_LISTED];
  return nodeKeys?.length && !nodeKeys.includes(METADATA) ? [NO_ROOT] : [];
}

/** Reads where to resume, and opens the reports. */
async function prepare(
  request: VerifyRequest,
  store: string,
  nodeKeys: readonly string[] | undefined,
): Promise<{ run: Run; shares: Share[] }> {
  const { plan, resume, workers, jsonl } = request;
  const line = { store, plan, started: new Date().toISOString() };
  const results: (readonly UnitResult[])[] = [];
  const earlier = resume === undefined ? undefined : readEarlier(resume, line, (some) => results.push(some));
  const count = earlier?.shares ?? workers;
  // Loaded while the threads start.
  const { Run } = await import("./run.js");
  const run = new Run(request, { ...line, shares: count } satisfies RunLine);
  run.open(earlier && resume && jsonl ? continueReport(resume, jsonl, earlier) : 0);
  for (const some of results) run.addEarlier(some);
  if (earlier) run.continue(earlier.summaries);
  return { run, shares: openShares(request, count, earlier, nodeKeys) };
}

/** Returns the shares that are not verified yet. */
function openShares(
  request: VerifyRequest,
  count: number,
  earlier: Earlier | undefined,
  nodeKeys: readonly string[] | undefined,
): Share[] {
  const { location, settings, plan, limits } = request;
  const known = new Map<number, Summary>(earlier?.summaries.map((summary) => [summary.part.index, summary]));
  return sharesOf(plan.part, count)
    .filter(({ index }) => !known.get(index)?.complete)
    .map((part) => ({ location, settings, plan, limits, nodeKeys, part, resume: known.get(part.index) }));
}

/** Verifies shares until all are done, or something stops it. Returns what did. @throws ShareError, ReportError */
async function verifyShares(
  threads: Threads,
  request: VerifyRequest,
  run: Run,
  shares: Share[],
): Promise<string | undefined> {
  let stopped: string | undefined;
  let failure: unknown;
  const pool = new Pool(threads, {
    onBegin: () => run.begin(),
    onProgress(results, summary) {
      try {
        run.add(results, summary);
      } catch (error) {
        failure ??= error;
        pool.stop();
      }
    },
    onCrash: (message) => run.warn(`a worker thread ended (${message}) and is started again`),
  });
  const stop = (reason: string) => {
    stopped ??= `${reason}${request.jsonl && request.jsonl !== "-" ? `; go on with --resume ${request.jsonl}` : ""}`;
    pool.stop();
  };
  const { maxDuration = 0 } = request;
  const outOfTime = () => stop(`after ${formatDuration(maxDuration / 1000)}, as --max-duration says`);
  // Listing the keys has taken time too, which counts from the start of the process.
  const timer = maxDuration > 0 ? setTimeout(outOfTime, maxDuration - performance.now()) : undefined;
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await pool.run(shares, request.workers);
  } catch (error) {
    // What has been verified is reported all the same.
    if (!(error instanceof ShareError && run.hasReported) || error.message === CHANGED) throw error;
    stop(error.message);
  } finally {
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, stop);
  }
  if (failure) throw failure;
  return stopped;
}
