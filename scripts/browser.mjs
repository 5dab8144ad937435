import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Sees to the browser that some tests drive: Debian's Chromium, installed when missing and possible. Otherwise says
 * what to install, and leaves it to those tests to fail.
 */
export function ensureBrowser() {
  if (isOnPath("chromium")) return;
  if (process.getuid?.() !== 0 || !isOnPath("apt-get")) {
    console.log("Tests in a browser need Chromium, which is missing: install the package chromium.");
    return;
  }
  console.log("Installing Chromium for the tests in a browser (apt-get install chromium).");
  const installed =
    aptGet(["install", "--no-install-recommends", "chromium"]) ||
    (aptGet(["update"]) && aptGet(["install", "--no-install-recommends", "chromium"]));
  if (!installed) console.log("Chromium could not be installed; the tests that need it will fail.");
}

/** @param {string[]} words */
function aptGet(words) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", ["-qq", "-y", ...words], { env, stdio: "ignore" }).status === 0;
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
