import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * The package with all icons. It and its dependency have 17,842 files, and the portal needs less than a hundred icons,
 * so only development installs them.
 */
const source = join(dirname(createRequire(import.meta.url).resolve("@tabler/icons-react")), "..");
const portal = join(import.meta.dirname, "../src");

/** The names that modules of portal/src import from the package, without types. */
export async function importedIcons(): Promise<string[]> {
  const entries = await readdir(portal, { recursive: true });
  const texts = await Promise.all(
    entries.filter((path) => /\.tsx?$/.test(path)).map((path) => readFile(join(portal, path), "utf8")),
  );
  const imports = texts.flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from "@tabler\/icons-react"/g)]);
  const names = imports.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim()));
  return [...new Set(names.filter((name) => /^Icon\w/.test(name)).map((name) => name.replace(/ as .*/, "")))].sort();
}

/** The text of every file of portal/icons by its path: files of the package, and a module that exports the icons. */
export async function iconFiles(): Promise<Map<string, string>> {
  const names = await importedIcons();
  const paths = ["createReactComponent", "defaultAttributes", ...names.map((name) => `icons/${name}`)];
  // Source maps are not copied, so the comment that names one is removed.
  const modules = paths.map(async (path): Promise<[string, string]> => {
    const text = await readFile(join(source, `esm/${path}.mjs`), "utf8");
    return [`${path}.mjs`, `${text.replace(/\n\/\/# sourceMappingURL=.*/, "").trimEnd()}\n`];
  });
  const exports = names.map((name) => `export { default as ${name} } from "./icons/${name}.mjs";\n`);
  return new Map([
    ["LICENSE", await readFile(join(source, "../LICENSE"), "utf8")],
    ["icons.mjs", exports.join("")],
    // The modules have no side effects, so the build leaves out the icons that a page does not use.
    ["package.json", `${JSON.stringify({ sideEffects: false }, null, 2)}\n`],
    ...(await Promise.all(modules)),
  ]);
}
