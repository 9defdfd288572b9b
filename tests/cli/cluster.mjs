// The files in examples/ for clusters: an array of jobs in a real Slurm on this machine, and the Kubernetes manifest against its
// schema. Run by `npm run test:all -- cluster`, which installs Slurm.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { find } from "../../scripts/setup/steps.mjs";
import { CHECKED, COMMAND, manyChunks, readReport, run, short, temporary, writeFiles } from "./helpers.mjs";

const example = (path) => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));

const isRoot = process.getuid?.() === 0;
const hasSlurm = ["slurmctld", "slurmd", "munged"].every(
  (name) => existsSync(`/usr/sbin/${name}`) || find(name),
);
const skip = !isRoot
  ? "needs root, to start Slurm"
  : !hasSlurm && "needs Slurm, which apt-get installs on Debian";

/** Starts a Slurm of one node, on ports of its own. */
async function startSlurm(t, folder) {
  const at = (name) => join(folder, name);
  chmodSync(folder, 0o700);
  writeFileSync(at("key"), randomBytes(1024), { mode: 0o400 });
  for (const name of ["state", "spool"]) mkdirSync(at(name));
  const host = hostname();
  const configuration = `ClusterName=test
SlurmctldHost=${host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=${at("munge.sock")}
CredType=cred/munge
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
SlurmctldPidFile=${at("slurmctld.pid")}
SlurmdPidFile=${at("slurmd.pid")}
SlurmctldLogFile=${at("slurmctld.log")}
SlurmdLogFile=${at("slurmd.log")}
StateSaveLocation=${at("state")}
SlurmdSpoolDir=${at("spool")}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
NodeName=${host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=4096 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
`;
  writeFileSync(at("slurm.conf"), configuration);
  const daemon = (name, ...args) => {
    const path = existsSync(`/usr/sbin/${name}`) ? `/usr/sbin/${name}` : name;
    const process = spawn(path, args, { stdio: "ignore" });
    t.after(() => process.kill());
  };
  const files = [
    "socket=munge.sock",
    "key-file=key",
    "pid-file=munge.pid",
    "seed-file=seed",
    "log-file=munge.log",
  ];
  const options = files.map((file) => `--${file.split("=")[0]}=${at(file.split("=")[1])}`);
  daemon("munged", "--foreground", "--force", ...options);
  while (!existsSync(at("munge.sock"))) await pause();
  daemon("slurmctld", "-D", "-f", at("slurm.conf"));
  daemon("slurmd", "-D", "-f", at("slurm.conf"));
  const env = { ...process.env, SLURM_CONF: at("slurm.conf") };
  for (let tries = 0; !/idle/.test(spawnSync("sinfo", { env, encoding: "utf8" }).stdout); tries++) {
    assert.ok(tries < 100, readFileSync(at("slurmctld.log"), "utf8"));
    await pause();
  }
  return env;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 200));

test("an array of jobs in Slurm", { skip }, async (t) => {
  const folder = temporary(t);
  const env = await startSlurm(t, temporary(t));
  const files = new Map([["zarr.json", Buffer.from(JSON.stringify(manyChunks(500)))]]);
  for (let i = 0; i < 500; i++) files.set(`c/${i}`, CHECKED);
  for (const i of [11, 400]) files.set(`c/${i}`, CHECKED.subarray(1));
  const store = writeFiles(join(folder, "store"), files);
  const reports = join(folder, "reports");
  const submit = (...args) =>
    spawnSync(
      "sbatch",
      ["--wait", "--output=/dev/null", ...args, example("slurm/verify.sbatch"), store, reports],
      {
        cwd: folder,
        env: { ...env, ZARR_CODECS: `${process.execPath} ${COMMAND}`, PARTS: "4" },
        encoding: "utf8",
      },
    );
  // Without part 2 first: merging notices, and the array of it alone completes the whole.
  submit("--array=0,1,3", "--mem=0");
  const paths = [0, 1, 2, 3].map((part) => join(reports, `part-${part}.jsonl`));
  const incomplete = await run(["merge", ...paths.filter((path) => existsSync(path))]);
  assert.deepEqual([incomplete.status, incomplete.stderr], [2, "Problem   missing: part 2/4\n"]);
  submit("--array=2", "--mem=0");
  const merged = join(folder, "merged.jsonl");
  const { status } = await run(["merge", ...paths, "--jsonl", merged]);
  assert.equal(status, 1);
  const { summary, results } = readReport(merged);
  assert.deepEqual([summary.complete, summary.total, summary.states.damaged], [true, 500, 2]);
  assert.deepEqual(results.map(short).sort(), [
    "c/11 damaged none chunk_length",
    "c/400 damaged none chunk_length",
  ]);
});

test("the Kubernetes manifest follows its schema", { skip: !find("python3") && "needs Python" }, (t) => {
  const environment = temporary(t);
  execFileSync("python3", ["-m", "venv", environment]);
  const python = (...args) => spawnSync(join(environment, "bin/python"), args, { encoding: "utf8" });
  const installed = python("-m", "pip", "install", "--quiet", "kubernetes-validate==1.37.0");
  assert.equal(installed.status, 0, installed.stderr);
  const validate = (path) =>
    spawnSync(
      join(environment, "bin/kubernetes-validate"),
      ["--strict", "--kubernetes-version", "1.33", path],
      {
        encoding: "utf8",
      },
    );
  const manifest = example("kubernetes/verify.yaml");
  const { status, stdout, stderr } = validate(manifest);
  assert.equal(status, 0, stdout + stderr);
  // A misspelt member is noticed.
  const wrong = join(environment, "wrong.yaml");
  writeFileSync(wrong, readFileSync(manifest, "utf8").replace("completionMode", "completionMood"));
  assert.notEqual(validate(wrong).status, 0);
});
