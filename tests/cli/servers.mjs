// Real servers: nginx, Caddy and Python's, which does not know ranges, and a server that speaks S3 (s3s-fs).
// Run by `npm run test:all -- servers`, which installs them.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { short, temporary, verify } from "./helpers.mjs";

/** A store that zarr-python wrote: three shards of each level, 18 in all, and consolidated metadata. */
const CELLS = fileURLToPath(new URL("../../www/data/cells.ome.zarr", import.meta.url));
const SHARDS = 18;
const DAMAGED = "0/c/0/0/0/0";

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a server, and waits until it answers. */
async function serve(t, command, args, url, options) {
  const server = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"], ...options });
  let errors = "";
  server.stderr.on("data", (text) => {
    errors += text;
  });
  t.after(() => server.kill());
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${command} does not answer: ${errors}`);
}

/** A folder with a sound copy of the store, `good`, and one with a flipped bit in a shard, `bad`; and both as zip files. */
function twoStores(t) {
  const folder = temporary(t);
  for (const name of ["good", "bad"]) cpSync(CELLS, join(folder, name), { recursive: true });
  const path = join(folder, "bad", DAMAGED);
  const bytes = readFileSync(path);
  bytes[100] ^= 16;
  writeFileSync(path, bytes);
  for (const name of ["good", "bad"]) {
    const files = readdirSync(join(folder, name), { recursive: true })
      .filter((key) => statSync(join(folder, name, key)).isFile())
      .map((key) => [key, readFileSync(join(folder, name, key))]);
    writeFileSync(join(folder, `${name}.zip`), zipSync(Object.fromEntries(files), { level: 0 }));
  }
  return folder;
}

async function check(base, args = [], options, ending = "") {
  const good = await verify(`${base}/good${ending}`, args, options);
  assert.deepEqual(
    [good.status, good.summary?.verdict, good.summary?.proofs.checksum],
    [0, "sound", SHARDS],
    good.stderr,
  );
  const bad = await verify(`${base}/bad${ending}`, args, options);
  assert.equal(bad.status, 1, bad.stderr);
  assert.equal(bad.results.length, 1);
  assert.match(short(bad.results[0]), new RegExp(`^${DAMAGED} \\[.*\\] damaged none checksum_mismatch$`));
  assert.equal(bad.results[0].error.diagnosis.code, "flipped_bit");
  return good;
}

/** Both as folders and as zip files. */
async function checkBoth(base, args, options) {
  await check(base, args, options);
  await check(base, args, options, ".zip");
}

test("nginx", async (t) => {
  const folder = twoStores(t);
  const port = await freePort();
  const work = temporary(t);
  const configuration = join(work, "nginx.conf");
  writeFileSync(
    configuration,
    `daemon off; ${process.getuid() === 0 ? "user root;" : ""} pid ${work}/pid; error_log stderr;
    events {}
    http {
      access_log off; gzip on; gzip_types *;
      client_body_temp_path ${work}/body; proxy_temp_path ${work}/proxy; fastcgi_temp_path ${work}/fastcgi;
      uwsgi_temp_path ${work}/uwsgi; scgi_temp_path ${work}/scgi;
      server { listen 127.0.0.1:${port}; root ${folder}; }
    }`,
  );
  const url = `http://127.0.0.1:${port}`;
  await serve(t, "/usr/sbin/nginx", ["-c", configuration], url);
  await checkBoth(url);
});

test("Caddy", async (t) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ["file-server", "--root", twoStores(t), "--listen", `127.0.0.1:${port}`];
  await serve(t, "caddy", args, url, { env: { ...process.env, HOME: temporary(t) } });
  await checkBoth(url);
});

test("Python's server, which ignores ranges", async (t) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await serve(t, "python3", ["-m", "http.server", `${port}`, "--bind", "127.0.0.1"], url, {
    cwd: twoStores(t),
  });
  await check(url);
  const zip = await verify(`${url}/good.zip`);
  assert.equal(zip.status, 2);
  assert.match(zip.stderr, /good\.zip: the server sends whole files only/);
});

const KEYS = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };

test("S3: lists, signs, and finds stray keys", async (t) => {
  const root = temporary(t);
  cpSync(twoStores(t), join(root, "bucket/a folder"), { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = [
    "--host",
    "127.0.0.1",
    "--port",
    `${port}`,
    "--access-key",
    "key",
    "--secret-key",
    "secret",
    root,
  ];
  await serve(t, "s3s-fs", args, url);
  const env = { ...KEYS, AWS_ENDPOINT_URL: url };
  await checkBoth("s3://bucket/a%20folder", [], { env });
  await check("s3://bucket/a%20folder", ["--workers", "2"], { env });

  mkdirSync(join(root, "bucket/a folder/good/left"), { recursive: true });
  writeFileSync(join(root, "bucket/a folder/good/left/over & more.txt"), "x");
  const stray = await verify("s3://bucket/a%20folder/good", [], { env });
  assert.deepEqual(
    stray.results.map(({ key, state }) => `${key} ${state}`),
    ["left/over & more.txt stray"],
  );

  for (const options of [
    { args: ["--anonymous"], env },
    { args: [], env: { ...env, AWS_SECRET_ACCESS_KEY: "wrong" } },
  ]) {
    const { status, stderr } = await verify("s3://bucket/a%20folder/good", options.args, {
      env: options.env,
    });
    assert.equal(status, 2);
    assert.match(stderr, /could not list the bucket: the server answered 403/);
  }
});
