// Packs the package as it would be published and installs it for the tests, which import it by name.

import { mkdirSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { output, ROOT, run } from "./run.mjs";

/** The folder to which tests resolve "zarr-codecs": without a package.json in tests/, Node would resolve it to the sources. */
const INSTALLED = join(ROOT, "tests/node_modules/zarr-codecs");

/** Packs dist/. Returns the path of the tarball. */
export function pack() {
  const folder = join(ROOT, "target/package");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Without `prepack`, which would build again.
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [packed] = JSON.parse(output("npm", args, { stdio: ["ignore", "pipe", "ignore"] }));
  return join(folder, packed.filename);
}

/** Packs dist/ and unpacks the tarball as an installation does (the package has no dependencies to resolve). */
export function packForTests() {
  const tarball = pack();
  rmSync(INSTALLED, { recursive: true, force: true });
  mkdirSync(INSTALLED, { recursive: true });
  // A relative path with slashes, because some versions of tar read the colon of a Windows drive as that of a host.
  const path = relative(INSTALLED, tarball).replaceAll(sep, "/");
  run("tar", ["-xzf", path, "--strip-components=1"], { cwd: INSTALLED });
}
