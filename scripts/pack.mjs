// Packs the package as it would be published and installs it for the tests, which import it by name.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./run.mjs";

/** Where tests resolve "zarr-codecs": the package.json in tests/ keeps Node from resolving it to the sources. */
const INSTALLED = join(ROOT, "tests/node_modules/zarr-codecs");

/** Packs dist/; gives the path of the tarball. */
export function pack() {
  const folder = join(ROOT, "target/package");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  return join(folder, packed.filename);
}

/** Packs dist/ and unpacks the tarball as an installation does (the package has no dependencies to resolve). */
export function packForTests() {
  const tarball = pack();
  rmSync(INSTALLED, { recursive: true, force: true });
  mkdirSync(INSTALLED, { recursive: true });
  run("tar", ["-xzf", tarball, "-C", INSTALLED, "--strip-components=1"]);
}
