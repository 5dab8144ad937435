import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runToEnd } from "./node/child.mjs";
import { node26 } from "./node/node26.mjs";

// `node scripts/build-portal.mjs`, and part of `npm start` and `npm test`: builds the portal's web app into
// portal/dist, unless that build is up to date.

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const built = join(root, "portal/dist");
const sources = [
  "portal/index.html",
  "portal/vite.config.ts",
  "portal/vite.site.config.ts",
  "portal/pages.ts",
  "portal/languages.ts",
  "portal/precompressed.ts",
  "portal/native-scroll.ts",
  "portal/package.json",
  "portal/tsconfig.json",
  "tsconfig.json",
  "portal/color-scheme",
  "portal/docs",
  "portal/icons",
  "portal/public",
  "portal/src",
  "docs",
  "contract/snippets",
  "contract/texts",
  "packages/foundation/src/music",
  "clients/packages",
  ...["CHANGELOG.md", "LICENSE", "README.md", "examples", "package.json", "src", "tools", "tsconfig.json"].map(
    (name) => `clients/javascript/${name}`,
  ),
  ...["LICENSE", "README.md", "pyproject.toml", "src"].map((name) => `clients/python/${name}`),
  ...["CHANGELOG.md", "LICENSE", "README.md", "autoload.php", "composer.json", "examples", "src"].map(
    (name) => `clients/php/${name}`,
  ),
  ...[".yardopts", "CHANGELOG.md", "LICENSE", "README.md", "beatmarket.gemspec", "examples", "lib", "sig"].map(
    (name) => `clients/ruby/${name}`,
  ),
  "clients/go",
  "clients/cli/package.json",
  "clients/cli/README.md",
  "clients/cli/src",
  "clients/cli/tools",
  "packages/webhook-testing/src",
  "contract/openapi.json",
  "package-lock.json",
];

/**
 * Types that only the type check reads. `npm test` writes them after the build, in a fresh clone for the first time.
 */
const typesOfCalls = "portal/src/api/paths.ts";

/** Builds the portal if its sources have changed. Throws an Error whose message says what to do. */
export async function ensurePortalBuilt() {
  // A release has the built portal, but not the sources.
  if (!existsSync(join(root, "portal/vite.config.ts"))) return;
  const fingerprint = await fingerprintOfSources();
  if ((await readIfPresent(join(built, "sources.sha256"))) === fingerprint) return;
  console.error("Building the portal's pages; this takes some seconds after a change.");
  const draft = `${built}.${randomBytes(4).toString("hex")}`;
  try {
    const vite = join(root, "node_modules/vite/bin/vite.js");
    for (const config of ["vite.config.ts", "vite.site.config.ts"]) {
      const parameters = [vite, "build", "portal", "--config", join(root, "portal", config), "--outDir", draft];
      const { code, signal } = await runToEnd(node26(), [...parameters, "--logLevel", "error"], {
        cwd: root,
        // Tests set a different NODE_ENV, with which React would be built for development.
        env: { ...process.env, NODE_ENV: "production" },
      });
      if (signal !== null) process.kill(process.pid, signal);
      if (code !== 0) throw new Error("The portal could not be built; see the output of Vite above.");
    }
    // `execFile` keeps the output of the packing, which would mix with the output of the server.
    await run(node26(), [join(root, "clients/packages/pack.main.ts"), join(draft, "packages")], { cwd: root });
    await writeFile(join(draft, "sources.sha256"), fingerprint);
    await replaceBuild(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Replaces the previous build. If another build has replaced it at the same moment, that build stays. */
async function replaceBuild(draft) {
  const former = `${built}.${randomBytes(4).toString("hex")}`;
  await rename(built, former).catch((error) => {
    if (error.code !== "ENOENT") throw error;
  });
  await rename(draft, built).catch((error) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  });
  await rm(former, { recursive: true, force: true });
}

/** A hash of the names and contents of the sources. */
async function fingerprintOfSources() {
  const files = (await Promise.all(sources.map((source) => filesOf(join(root, source))))).flat().sort();
  const hash = createHash("sha256");
  for (const file of files.filter((path) => relative(root, path) !== typesOfCalls))
    hash
      .update(`${relative(root, file)}\0`)
      .update(await readFile(file))
      .update("\0");
  return hash.digest("hex");
}

/** The file itself, or the files below a folder; none if the path does not exist. */
async function filesOf(path) {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".pyc"))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  } catch (error) {
    if (error.code === "ENOTDIR") return [path];
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

async function readIfPresent(file) {
  try {
    return await readFile(file, "utf8");
  } catch {
    return null;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensurePortalBuilt();
