import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pageRoutes } from "../pages.ts";

const dist = join(import.meta.dirname, "../dist");
/** Of JavaScript, as a browser that takes Brotli receives it. */
const maxBytes = 200_000;
/** A file is a request before the first paint. */
const maxScripts = 7;

/** Of scripts and styles, in either encoding. */
const maxBytesOfAll = 300_000;

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}

const manifest = JSON.parse(await readFile(join(dist, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;

/** The scripts of a chunk: its own and its static imports. */
function scriptsOf(name: string, seen = new Set<string>()): Set<string> {
  const { file = "", imports = [] } = manifest[name] ?? {};
  if (file === "") throw new Error(`The manifest has no ${name}.`);
  if (!seen.has(file)) {
    seen.add(file);
    for (const each of imports) scriptsOf(each, seen);
  }
  return seen;
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

const routes = pageRoutes().filter(({ path }) => path !== "/components");

test("every page of the route table has a module", () => {
  expect(routes.length).toBeGreaterThan(30);
});

/** What a page imports as soon as it shows, by its route. Its own code is not among its HTML's: it comes after the page. */
const importedAtOnce: Readonly<Record<string, readonly RegExp[]>> = {
  // The call as code, coloured. The first language is curl, and a browser remembers another one: the largest grammar counts.
  "/explorer": [/display\/code\/highlighter\.ts$/, /languages\/javascript\.js$/],
  // An account without calls begins with its first steps, whose call is code.
  "/": [/first-steps\.tsx$/, /display\/code\/highlighter\.ts$/, /languages\/javascript\.js$/],
};

test.each(routes)("$path loads at most 200 kB of JavaScript, and its HTML names what it imports", async (route) => {
  const html = await readFile(join(dist, `pages${route.path === "/" ? "/index" : route.path}.html`), "utf8");
  const named = [...html.matchAll(/(?:src|modulepreload" crossorigin href)="\/portal\/(assets\/[^"]+\.js)"/g)];
  const page = route.module.slice(route.module.indexOf("/portal/src/") + "/portal/".length);
  const needed = new Set([...scriptsOf("index.html"), ...scriptsOf(page)]);
  expect(named.map(([, file]) => file).sort()).toEqual([...needed].sort());
  expect(needed.size).toBeLessThanOrEqual(maxScripts);
  const atOnce = (importedAtOnce[route.path] ?? []).flatMap((pattern) => {
    const names = Object.keys(manifest).filter((name) => pattern.test(name));
    expect(names, String(pattern)).toHaveLength(1);
    return [...scriptsOf(names[0] ?? "")];
  });
  const loaded = new Set([...needed, ...atOnce]);
  expect(await bytesOf(loaded, "br")).toBeLessThanOrEqual(maxBytes);
  for (const encoding of ["br", "gz"] as const)
    expect(await bytesOf([...loaded, ...styles], encoding), encoding).toBeLessThan(maxBytesOfAll);
});

test("colours of both schemes reach the browser as light-dark(), which sees the scheme of the page", async () => {
  const texts = await Promise.all([...styles].map((file) => readFile(join(dist, file), "utf8")));
  expect(texts.join("")).toContain("--shiki-token-keyword:light-dark(");
  expect(texts.join("")).not.toContain("--lightningcss-");
});
