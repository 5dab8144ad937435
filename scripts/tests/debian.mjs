import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether this process can install Debian packages: it is root, and apt-get exists. */
export function canInstallFromDebian() {
  return process.getuid?.() === 0 && isOnPath("apt-get");
}

/**
 * Installs Debian packages, if this process can.
 * @param {string[]} packages
 * @returns {boolean} whether they are installed now
 */
export function installFromDebian(packages) {
  if (!canInstallFromDebian()) return false;
  console.log(`Installing with apt-get: ${packages.join(", ")}.`);
  const install = () => aptGet(["install", "--no-install-recommends", ...packages]);
  return install() || (aptGet(["update"]) && install());
}

/** @param {string[]} args */
function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", ["-qq", "-y", ...args], { env, stdio: "ignore" }).status === 0;
}

/** @param {string} program */
function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
