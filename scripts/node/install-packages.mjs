import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ensureLibrariesBundled } from "./bundle-libraries.mjs";
import { runToEnd } from "./child.mjs";
import { nodePackages } from "./node26.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = join(root, "node_modules");
const lockFile = join(root, ".install.lock");
/** Longer than any installation; the process id in an older lock may belong to another process. */
const lockLifeMs = 30 * 60_000;

/**
 * Installs the packages of package-lock.json, and bundles some libraries, unless that is done already. Omits
 * development packages, unless `dev` is true or some of them are installed. Throws an Error whose message says what to
 * do.
 * @param {{ dev?: boolean }} [options]
 */
export async function ensureInstalled({ dev = false } = {}) {
  if (!(await isInstalled(dev)))
    await alone(async () => {
      if (!(await isInstalled(dev))) await install(dev);
    });
  await ensureLibrariesBundled();
}

async function install(dev) {
  const installed = Object.values(await readPackages(join(modules, ".package-lock.json")));
  const omitted = dev || installed.some((entry) => entry.dev) ? ["--include=dev"] : ["--omit=dev"];
  console.error("Installing packages with npm; the first time this takes a minute or two.");
  // "npm ci" would begin with the deletion of installed packages.
  const parameters = [
    "install",
    "--no-save",
    ...omitted,
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const end = await runToEnd("npm", parameters, { cwd: root, env: { ...process.env, PATH: pathWithoutModules() } });
  if (end.signal !== null) process.kill(process.pid, end.signal);
  if (end.code !== 0) throw new Error(`"npm install" failed; see its output above. Then start again.`);
  await removeUnusedFiles();
}

/**
 * Removes files that no program here reads: the headers of Node's package, 67 MB for building native modules, and the
 * packages' source maps, 40 MB for debuggers.
 */
async function removeUnusedFiles() {
  for (const name of Object.values(nodePackages))
    await rm(join(modules, name, "include"), { recursive: true, force: true });
  for (const entry of await readdir(modules, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && /\.(?:[cm]?[jt]s|css)\.map$/.test(entry.name))
      await rm(join(entry.parentPath ?? entry.path, entry.name));
}

/** The PATH without the Node in node_modules, which npm may replace while it runs. */
const pathWithoutModules = () =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .join(delimiter);

/**
 * Whether npm's record of installed packages, which it writes last, matches the lock file. Ignores optional packages:
 * npm selects those for this platform.
 */
async function isInstalled(dev) {
  const installed = await readPackages(join(modules, ".package-lock.json"));
  const packages = await readPackages(join(root, "package-lock.json"));
  return Object.entries(packages).every(([path, entry]) => {
    if (path === "" || entry.optional || entry.devOptional || (entry.dev && !dev)) return true;
    const present = installed[path];
    return (
      present !== undefined &&
      present.version === entry.version &&
      present.integrity === entry.integrity &&
      (!entry.link || present.resolved === entry.resolved)
    );
  });
}

/** The packages of a lock file by path; none if the file does not exist. */
async function readPackages(file) {
  try {
    return JSON.parse(await readFile(file, "utf8")).packages ?? {};
  } catch {
    return {};
  }
}

/** Runs the work while no other process installs packages in this folder. */
async function alone(work) {
  for (let isReported = false; !(await takeLock()); isReported = true) {
    if (!isReported) console.error("Another process is installing packages; waiting for it.");
    await sleep(200);
  }
  try {
    await work();
  } finally {
    await rm(lockFile, { force: true });
  }
}

async function takeLock() {
  try {
    await writeFile(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw new Error(`Packages cannot be installed in ${root}: ${error.message}`);
  }
  if (!(await isHeld())) await rm(lockFile, { force: true });
  return false;
}

async function isHeld() {
  try {
    const ageMs = Date.now() - (await stat(lockFile)).mtimeMs;
    process.kill(Number(await readFile(lockFile, "utf8")), 0);
    return ageMs < lockLifeMs;
  } catch (error) {
    return error.code === "EPERM";
  }
}
