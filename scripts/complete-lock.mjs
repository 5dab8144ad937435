import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

// `node scripts/complete-lock.mjs`, after a change of dependencies: npm omits packages for other platforms from
// package-lock.json if the registry lacks them, and `npm ci` then refuses the file everywhere. The added entries name their
// platform, derived from the package name, so that npm skips them on any other.

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "x64"];

/**
 * The missing entries of package-lock.json, by path.
 * @param {{ packages: Record<string, Record<string, unknown>> }} lock
 * @returns {Record<string, Record<string, unknown>>}
 */
export function missingEntries({ packages }) {
  const missing = {};
  for (const [path, entry] of Object.entries(packages))
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {}))
      if (!isLocked(packages, path, name)) missing[`node_modules/${name}`] = platformEntry(name, range, entry.dev);
  return missing;
}

/** Whether Node's module resolution from a package finds this name: in its own node_modules or those above. */
function isLocked(packages, path, name) {
  const parts = path === "" ? [] : path.split("/node_modules/");
  return Array.from({ length: parts.length + 1 }, (_, count) => parts.slice(0, count).join("/node_modules/")).some(
    (above) => packages[above === "" ? `node_modules/${name}` : `${above}/node_modules/${name}`] !== undefined,
  );
}

function platformEntry(name, range, dev) {
  const words = name.split(/[-/]/);
  const os = systems.find((system) => words.includes(system));
  if (os === undefined)
    throw new Error(`${name} is not in package-lock.json, and is not for a platform: npm install it.`);
  const cpu = processors.find((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith("musl"))
    ? "musl"
    : words.some((word) => word.startsWith("gnu"))
      ? "glibc"
      : undefined;
  return {
    version: range.replace(/^[\^~]/, ""),
    ...(cpu && { cpu: [cpu] }),
    ...(dev && { dev }),
    ...(libc && { libc: [libc] }),
    optional: true,
    os: [os],
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL("../package-lock.json", import.meta.url);
  const lock = JSON.parse(await readFile(file, "utf8"));
  const missing = missingEntries(lock);
  const packages = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1));
  await writeFile(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
  console.log(`${Object.keys(missing).length} entries added.`);
}
