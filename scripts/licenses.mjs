// The licences of the crates that are compiled into the modules.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { output } from "./run.mjs";

/** Returns the licences of the crates that packages of the workspace consist of, for a target. */
export function licensesOf(packages, target) {
  const { packages: all, workspace_members: ours } = JSON.parse(
    output("cargo", ["metadata", "--locked", "--format-version", "1", "--filter-platform", target]),
  );
  const tree = output("cargo", [
    "tree",
    "--locked",
    "--target",
    target,
    "--edges",
    "normal,no-proc-macro",
    "--prefix",
    "none",
    "--no-dedupe",
    "--format",
    "{p}",
    ...packages.flatMap((name) => ["--package", name]),
  ]);
  const compiled = new Set(tree.split("\n"));
  const crates = all.filter(
    ({ id, name, version }) => !ours.includes(id) && compiled.has(`${name} v${version}`),
  );
  const names = (one, other) => one.name.localeCompare(other.name);
  return ["The modules contain the following software.\n", ...crates.sort(names).map(licenseOf)].join("\n");
}

/** The licence of a crate: MIT where several can be chosen from. */
function licenseOf({ name, version, license, repository, manifest_path }) {
  const folder = dirname(manifest_path);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying)/i.test(file));
  const file = files.find((file) => /mit/i.test(file)) ?? files[0];
  const text = file ? readFileSync(join(folder, file), "utf8") : `Published without a text: ${repository}`;
  return section(`${name} ${version} (${license})`, text);
}

/** A licence with its title. */
export function section(title, text) {
  const line = "-".repeat(80);
  return `${line}\n${title}\n${line}\n${text.trim()}\n`;
}
