// Debian packages.

import { find, quietly } from "./steps.mjs";

const isRoot = () => process.getuid?.() === 0;

/** Whether Debian packages can be installed: by root, or by sudo. */
export function canInstall() {
  return find("apt-get") !== undefined && (isRoot() || find("sudo") !== undefined);
}

/** Runs a command quietly as root. */
export function asRoot(command, ...args) {
  return isRoot() ? quietly(command, args) : quietly("sudo", [command, ...args]);
}

/**
 * Installs Debian packages. Waits for another apt that is running, and never removes a package in exchange: Debian's
 * compiler conflicts with its packages rustc and rustup.
 */
export function install(...packages) {
  const options = ["-o", "DPkg::Lock::Timeout=600", "--yes", "--no-install-recommends", "--no-remove"];
  return asRoot("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", ...options, ...packages);
}

/** Updates the package lists, which a new machine lacks. Without a network the old ones may still do. */
export async function updateLists() {
  await asRoot("apt-get", "update");
}
