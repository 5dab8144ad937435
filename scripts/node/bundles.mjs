import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const bundlesFolder = join(root, "server/dist");
export const versionsFile = join(bundlesFolder, "versions.json");

/** The bundled modules, by the name of their bundle. These libraries consist of 630 small modules. */
export const bundledModules = {
  kysely: "kysely",
  typebox: "typebox",
  "typebox-compile": "typebox/compile",
  "typebox-value": "typebox/value",
};

export const bundledLibraries = ["kysely", "typebox"];

/** The installed versions of the bundled libraries, as JSON; undefined if one is not installed. */
export function installedVersions() {
  const versionOf = (name) =>
    JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;
  try {
    return JSON.stringify(Object.fromEntries(bundledLibraries.map((name) => [name, versionOf(name)])));
  } catch {
    return undefined;
  }
}

/** Whether the bundles are those of the installed versions. */
export function areCurrent() {
  try {
    return readFileSync(versionsFile, "utf8") === installedVersions();
  } catch {
    return false;
  }
}
