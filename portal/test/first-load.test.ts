import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { PortalArea } from "../../contract/texts/en/portal/index.ts";
import { type Language, languageCodes } from "../../contract/texts/languages.ts";
import { portalTexts } from "../../contract/texts/portal.ts";
import { builtTexts } from "../languages.ts";
import { pageRoutes } from "../pages.ts";

const dist = join(import.meta.dirname, "../dist");
/** The limit of JavaScript, compressed with Brotli. */
const maxBytes = 200_000;
/** The limit of scripts that a page's HTML names. Each is a request. */
const maxScripts = 7;

/** The limit of scripts, styles and texts together, compressed with Brotli or gzip. */
const maxBytesOfAll = 300_000;

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  /** Chunks that the chunk imports on demand. */
  dynamicImports?: string[];
}

const manifest = JSON.parse(await readFile(join(dist, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;

/** The script of a chunk and of its static imports. */
function scriptsOf(name: string, visited = new Set<string>()): Set<string> {
  const { file = "", imports = [] } = manifest[name] ?? {};
  if (file === "") throw new Error(`The manifest has no ${name}.`);
  if (!visited.has(file)) {
    visited.add(file);
    for (const importName of imports) scriptsOf(importName, visited);
  }
  return visited;
}

async function bytesOf(files: Iterable<string>, encoding: "br" | "gz"): Promise<number> {
  const compressed = [...files].map((file) =>
    stat(join(dist, `${file}.${encoding}`)).catch(() => stat(join(dist, file))),
  );
  return (await Promise.all(compressed)).reduce((sum, { size }) => sum + size, 0);
}

/** The style sheets of the first load. */
const styles = new Set(
  Object.values(manifest)
    .flatMap(({ css = [], file }) => [...css, file])
    .filter((file) => file.endsWith(".css")),
);

const routes = pageRoutes();

test("the route table has more than 30 pages", () => {
  expect(routes.length).toBeGreaterThan(30);
});

/**
 * Shared chunks that a page imports on demand, by path. The manifest lists only the dynamic imports of a page's own
 * chunk. The page's HTML does not preload these chunks.
 */
const importedSoon: Readonly<Record<string, readonly RegExp[]>> = {
  "/market": [/player-bar\.tsx$/, /combobox\.tsx$/],
  "/market/beats/$beatId": [/player-bar\.tsx$/],
  "/studio": [/tus-js-client/],
  "/studio/beats/$beatId": [/player-bar\.tsx$/, /combobox\.tsx$/],
  "/studio/uploads/$uploadId": [/player-bar\.tsx$/, /combobox\.tsx$/, /tus-js-client/],
};

test("the list of shared imports names only existing pages", () => {
  expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(Object.keys(importedSoon)));
});

const pageFile = (language: Language, path: string): string =>
  join(dist, `pages/${language}${path === "/" ? "/index" : path}.html`);

/** The JSON in a page's HTML: the texts, and the scripts with the texts of other areas. */
const textsIn = (html: string): string =>
  /<script type="application\/json" id="texts">(.*)<\/script>/.exec(html)?.[1] ?? "";

test.each(routes)("$path keeps the limits of bytes and scripts, and its HTML preloads its imports", async (route) => {
  const html = await readFile(pageFile("en", route.path), "utf8");
  const scriptLinks = [...html.matchAll(/(?:src|modulepreload" crossorigin href)="\/portal\/(assets\/[^"]+\.js)"/g)];
  const page = route.module.slice(route.module.indexOf("/portal/src/") + "/portal/".length);
  const needed = new Set([...scriptsOf("index.html"), ...scriptsOf(page)]);
  expect(scriptLinks.map(([, file]) => file).sort()).toEqual([...needed].sort());
  expect(needed.size).toBeLessThanOrEqual(maxScripts);
  const soon = (importedSoon[route.path] ?? []).flatMap((pattern) => {
    const names = Object.keys(manifest).filter((name) => pattern.test(name));
    expect(names, String(pattern)).toHaveLength(1);
    return [...scriptsOf(names[0] ?? "")];
  });
  const later = (manifest[page]?.dynamicImports ?? []).flatMap((name) => [...scriptsOf(name)]);
  const loaded = new Set([...needed, ...soon, ...later]);
  expect(await bytesOf(loaded, "br")).toBeLessThanOrEqual(maxBytes);
  for (const language of languageCodes) {
    const texts = textsIn(await readFile(pageFile(language, route.path), "utf8"));
    const compressed = { br: brotliCompressSync(texts), gz: gzipSync(texts) };
    for (const encoding of ["br", "gz"] as const) {
      const bytes = (await bytesOf([...loaded, ...styles], encoding)) + compressed[encoding].length;
      expect(bytes, `${language} ${encoding}`).toBeLessThan(maxBytesOfAll);
    }
  }
});

test.each(languageCodes)(
  "a page in %s has the texts of its language and area, and names the scripts of other areas",
  async (language) => {
    for (const { path, area } of routes) {
      const html = await readFile(pageFile(language, path), "utf8");
      const { texts, files } = JSON.parse(textsIn(html)) as { texts: object; files: Record<string, string> };
      expect(html, path).toContain(`<html lang="${language}"`);
      const areas = portalTexts[language];
      expect(texts, path).toEqual({
        ...builtTexts(language, "common"),
        ...(area === null ? {} : builtTexts(language, area)),
      });
      const otherAreas = Object.keys(areas).filter((name) => name !== "common" && name !== area);
      expect(Object.keys(files), path).toEqual(otherAreas);
      for (const [name, file] of Object.entries(files)) {
        const script = await readFile(join(dist, file.replace("/portal/", "")), "utf8");
        expect(JSON.parse(script.replace("export default ", ""))).toEqual(builtTexts(language, name as PortalArea));
      }
    }
  },
);

test("the license of the fonts is in their folder", async () => {
  expect(await readFile(join(dist, "assets/geist-LICENSE.txt"), "utf8")).toContain(
    "SIL Open Font License, Version 1.1",
  );
});

test("the build keeps light-dark(), which follows the page's colour scheme", async () => {
  const texts = await Promise.all([...styles].map((file) => readFile(join(dist, file), "utf8")));
  expect(texts.join("")).toContain("--code-keyword:light-dark(");
  expect(texts.join("")).not.toContain("--lightningcss-");
});
