import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

// The tests of a CI run use a PATH without manually installed programs. Otherwise a program that the tests use but that
// is not declared would be found on one machine and missing on the next.

const systemFolders = ["/usr/bin", "/usr/sbin"];

/** Whether Debian's package database can say which programs belong to which package. */
export const hasPackageDatabase = existsSync("/var/lib/dpkg/status");

/**
 * Fills a folder with starters for Node, npm, Go, Valkey, and the programs of Debian's base system and of the given
 * packages and their dependencies, as far as they are installed. Programs of other packages, of /usr/local and of
 * version managers are left out.
 * @param {string} folder emptied first
 * @param {string[]} packages names of Debian packages; those that are not installed are ignored
 * @returns {string} the folder, to be used as PATH
 */
export function writeDeclaredPath(folder, packages) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Go and Valkey come from the PATH like Node: Debian has an earlier Go, and no Valkey.
  for (const name of ["node", "npm", "npx", "go", "gofmt", "valkey-server"]) {
    const file = fileOnPath(name);
    if (file !== undefined) writeStarter(folder, name, file);
  }
  const declared = programFilesOf(withDependencies(packages));
  for (const systemFolder of systemFolders)
    for (const name of readdirSync(systemFolder))
      if (declared.has(realPath(join(systemFolder, name)))) writeStarter(folder, name, join(systemFolder, name));
  return folder;
}

/** A script, not a link: an interpreter finds its libraries next to the path by which it was started. */
function writeStarter(folder, name, file) {
  const starter = join(folder, name);
  if (!existsSync(starter)) writeFileSync(starter, `#!/bin/sh\nexec '${file}' "$@"\n`, { mode: 0o755 });
}

/** The packages themselves, the base system (priority "required"), and all that these depend on. */
function withDependencies(packages) {
  const fields = ["binary:Package", "Package", "db:Status-Status", "Priority", "Provides", "Pre-Depends", "Depends"];
  const format = `${fields.map((field) => `\${${field}}`).join("\t")}\n`;
  const packageIds = new Set();
  const pending = [...packages];
  /** @type {Map<string, { id: string, depends: string[] }[]>} */
  const providers = new Map();
  for (const line of query(["-W", "-f", format]).split("\n")) {
    const [id, name, status, priority, provides = "", ...dependencyFields] = line.split("\t");
    if (status !== "installed") continue;
    if (priority === "required") pending.push(name);
    const depends = dependencyFields.flatMap(namesIn);
    for (const provided of [name, ...namesIn(provides)])
      providers.set(provided, [...(providers.get(provided) ?? []), { id, depends }]);
  }
  while (pending.length > 0)
    for (const { id, depends } of providers.get(pending.pop()) ?? [])
      if (!packageIds.has(id)) {
        packageIds.add(id);
        pending.push(...depends);
      }
  return [...packageIds];
}

/** The package names in a dependency field, alternatives included: "a (>= 1), b:any | c" → a, b, c. */
function namesIn(field) {
  return field.split(/[,|]/).flatMap((part) => /^\s*([a-z0-9][a-z0-9+.-]*)/.exec(part)?.[1] ?? []);
}

/** The real paths of the programs in these packages. /usr/bin may have only links to them (Debian's alternatives). */
function programFilesOf(packages) {
  const files = query(["-L", ...packages]).split("\n");
  return new Set(files.filter((file) => /\/s?bin\/[^/]+$/.test(file)).map(realPath));
}

/** @param {string[]} args */
function query(args) {
  const env = { ...process.env, LC_ALL: "C" };
  return spawnSync("dpkg-query", args, { encoding: "utf8", env, maxBuffer: 100_000_000 }).stdout ?? "";
}

function fileOnPath(name) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  if (name === "node") folders.unshift(dirname(process.execPath));
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

function realPath(file) {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
