import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Installs packages of Debian, when this runs as root on one.
 * @param {string[]} packages
 * @returns {boolean} whether they are there now
 */
export function installFromDebian(packages) {
  if (process.getuid?.() !== 0 || !isOnPath("apt-get")) return false;
  console.log(`Installing with apt-get: ${packages.join(", ")}.`);
  const install = () => aptGet(["install", "--no-install-recommends", ...packages]);
  return install() || (aptGet(["update"]) && install());
}

/** @param {string[]} words */
function aptGet(words) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", ["-qq", "-y", ...words], { env, stdio: "ignore" }).status === 0;
}

/** @param {string} program */
export function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
