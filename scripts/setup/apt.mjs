// Installs Debian packages.

import { find, quietly } from "./steps.mjs";

const isRoot = () => process.getuid?.() === 0;

/** Returns whether Debian packages can be installed, by root or with sudo. */
export function canInstall() {
  return find("apt-get") !== undefined && (isRoot() || find("sudo") !== undefined);
}

/** Runs a command quietly as root. */
export function asRoot(command, ...args) {
  return isRoot() ? quietly(command, args) : quietly("sudo", [command, ...args]);
}

/**
 * Installs Debian packages. Waits for other processes of apt. Never removes a package: Debian's compiler conflicts with its
 * packages rustc and rustup.
 */
export function install(...packages) {
  const options = ["-o", "DPkg::Lock::Timeout=600", "--yes", "--no-install-recommends", "--no-remove"];
  return asRoot("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", ...options, ...packages);
}

/** Updates the package lists, which a new machine lacks. Ignores failures: without a network, old lists may suffice. */
export async function updateLists() {
  await asRoot("apt-get", "update");
}
