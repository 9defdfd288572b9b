/** What the command says of itself. */

/** A wrong use of the command, which its message explains. */
export class UsageError extends Error {
  override name = "UsageError";
}

const VERIFY = `zarr-codecs verify <folder | file.zip | file.ozx | https://... | s3://...> [options]

Checks every chunk of a Zarr v3 store, and never writes into it. Zip files may be at https:// and s3:// too.
Exit status: 0 sound, 1 damage, 2 could not complete.

What counts as sound
  --require PROOF        checksum, decoded, length or present: the least that must be proven (default: present)
  --missing POLICY       allow, warn or fail: chunks that are not there (default: allow)
How much
  --part I/N             the share I of N, from 0 (environment: see below)
  --sample P% [--seed S] a random sample of the chunks
  --max-duration TIME    stop in time: 2h, 90m, 30s
  --resume REPORT        go on where a report ends; --jsonl then defaults to that file
How
  --concurrency N        requests in flight, per worker thread (default: 16)
  --workers N            worker threads (default: one per processor, up to 8; 1 for stores on a network)
  --retries N            further tries of a request that failed (default: 2)
  --timeout TIME         of a request (default: 60s)
  --no-list              does not list the keys, which takes long in large buckets: finds no stray keys
  --anonymous            sends requests to s3:// without a signature
Reports
  --jsonl FILE           a line of JSON for each unit that is not sound, and a summary (- is standard output)
  --junit FILE           a report for CI servers
  --all                  a line for each unit, sound ones too
  --quiet                no progress; prints only what is wrong

A unit is a chunk or a shard. I/N is also read from the environment: SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT,
AWS_BATCH_JOB_ARRAY_INDEX and AWS_BATCH_JOB_ARRAY_SIZE, or JOB_COMPLETION_INDEX of Kubernetes, which does not know
the number of parts: give it by --part auto/N or JOB_COMPLETIONS. --part 0/1 ignores the environment.
S3 reads AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION and AWS_ENDPOINT_URL.`;

const MERGE = `zarr-codecs merge <report.jsonl>... [--jsonl FILE]

Joins the reports of parts to one summary. Exit status: 0 sound, 1 damage, 2 where a part is missing, unfinished or
there twice.`;

const INSPECT = `zarr-codecs inspect <store> [array]

Shows arrays, their codec chains and sizes, and which damage each codec can notice.`;

/** The help of each subcommand. */
export const USAGE = { verify: VERIFY, merge: MERGE, inspect: INSPECT };

export const OVERVIEW = `zarr-codecs: verifies Zarr stores

  npx zarr-codecs verify <store>           is every chunk sound?
  npx zarr-codecs merge <report.jsonl>...  joins the reports of parts
  npx zarr-codecs inspect <store> [array]  codec chains, and what they can notice

More: npx zarr-codecs <command> --help`;
