import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Where colours have values. */
const sources = ["tokens.css", "shell/theme.ts"];
const color = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|lab)\(/i;

test("no style names a colour by its value, but the tokens and the theme", async () => {
  const found: string[] = [];
  let files = 0;
  for await (const path of glob("**/*.css", { cwd: import.meta.dirname })) {
    files++;
    if (sources.includes(path)) continue;
    const lines = (await readFile(join(import.meta.dirname, path), "utf8")).split("\n");
    found.push(...lines.filter((line) => color.test(line)).map((line) => `${path}: ${line.trim()}`));
  }
  expect(files).toBeGreaterThan(20);
  expect(found).toEqual([]);
});
