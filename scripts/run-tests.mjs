// Runs the files of tests that are its arguments, and repeats at the end what failed.
//
// Tests of processes, servers and browsers depend on how busy a machine is. Their files get a second attempt, which is said;
// all others must pass at the first.

import { relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { ROOT } from "./run.mjs";

const DEPENDS_ON_MACHINE = /^tests\/(?:browser|cli|clients|packaging|page)\//;

/** Runs files of tests. Returns those in which a test failed. */
async function attempt(files) {
  const failed = new Set();
  const events = run({ files, concurrency: true });
  events.on("test:fail", ({ file, todo }) => {
    if (todo === undefined) failed.add(relative(ROOT, file).replaceAll("\\", "/"));
  });
  for await (const text of events.compose(new spec())) process.stdout.write(text);
  return [...failed];
}

const failed = await attempt(process.argv.slice(2));
const repeated = failed.filter((file) => DEPENDS_ON_MACHINE.test(file));
if (repeated.length > 0) {
  console.log(`\nOnce more, because they depend on the machine: ${repeated.join(", ")}\n`);
  const again = new Set(await attempt(repeated));
  for (const file of repeated.filter((file) => !again.has(file))) {
    console.log(`\n${file} passed at the second attempt.`);
    failed.splice(failed.indexOf(file), 1);
  }
}
if (failed.length > 0) console.log(`\nFailed: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;
