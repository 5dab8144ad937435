import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const dist = join(import.meta.dirname, "../dist");
const maxBytes = 300_000;

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  isEntry?: boolean;
}

/** The files of a chunk: its own, its styles and its static imports. */
function filesOf(manifest: Record<string, Chunk>, name: string, seen = new Set<string>()): string[] {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(name)) return [];
  seen.add(name);
  return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((each) => filesOf(manifest, each, seen))];
}

async function sizeOf(files: readonly string[], encoding: "br" | "gz"): Promise<number> {
  const compressed = files.map((file) => stat(join(dist, `${file}.${encoding}`)).catch(() => stat(join(dist, file))));
  return (await Promise.all(compressed)).reduce((sum, { size }) => sum + size, 0);
}

const manifest = JSON.parse(await readFile(join(dist, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
const pages = Object.keys(manifest).filter((name) => /pages\/.*-page\.tsx$/.test(name));

test("every page is a chunk of its own", () => {
  expect(pages.length).toBeGreaterThan(8);
});

test.each(pages)("the first load of %s is below 300 kB compressed", async (page) => {
  const files = [...new Set(["index.html", page].flatMap((each) => filesOf(manifest, each)))];
  expect(files.length).toBeGreaterThan(2);
  for (const encoding of ["br", "gz"] as const) {
    const size = await sizeOf(files, encoding);
    expect(size, `${page} needs ${size} bytes (${encoding})`).toBeLessThan(maxBytes);
  }
});
