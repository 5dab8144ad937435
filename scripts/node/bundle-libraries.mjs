import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  areCurrent,
  bundledLibraries,
  bundledModules,
  bundlesFolder,
  installedVersions,
  versionsFile,
} from "./bundles.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundler = join(root, "node_modules/rolldown/dist/index.mjs");

/**
 * Bundles the libraries of `bundledModules`, unless their installed versions are bundled already. Without the bundler,
 * which an installed release lacks, programs use the bundles of the release.
 */
export async function ensureLibrariesBundled() {
  const versions = installedVersions();
  if (versions === undefined || areCurrent() || !existsSync(bundler)) return;
  const { rolldown } = await import(pathToFileURL(bundler).href);
  const draft = `${bundlesFolder}.${randomBytes(4).toString("hex")}`;
  try {
    const bundle = await rolldown({ input: bundledModules, platform: "node", cwd: root, logLevel: "silent" });
    await bundle.write({ dir: draft, entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" });
    await bundle.close();
    await copyLicenses(draft);
    await writeFile(join(draft, basename(versionsFile)), versions);
    // Another process may have done the same, and programs may be loading its bundles.
    if (areCurrent()) return;
    await rm(bundlesFolder, { recursive: true, force: true });
    await rename(draft, bundlesFolder).catch((error) => {
      if (!areCurrent()) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Copies the licenses of the libraries, which require that each copy of the code has their text. */
async function copyLicenses(folder) {
  for (const library of bundledLibraries) {
    const files = await readdir(join(root, "node_modules", library));
    for (const file of files.filter((name) => /^license/i.test(name)))
      await copyFile(join(root, "node_modules", library, file), join(folder, `${library}.LICENSE`));
  }
}
