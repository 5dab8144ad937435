import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Where colours have values. */
const sources = ["tokens.css", "shell/theme.ts"];
const color = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|lab)\(/i;

async function readLines(pattern: string) {
  const lines: { path: string; text: string }[] = [];
  for await (const path of glob(pattern, { cwd: import.meta.dirname })) {
    if (/\.test\.tsx?$/.test(path)) continue;
    const text = await readFile(join(import.meta.dirname, path), "utf8");
    lines.push(...text.split("\n").map((line) => ({ path, text: line.trim() })));
  }
  return lines;
}

test("only the tokens and the theme name a colour by its value", async () => {
  const lines = await readLines("**/*.css");
  expect(new Set(lines.map(({ path }) => path)).size).toBeGreaterThan(20);
  const found = lines.filter(({ path, text }) => !sources.includes(path) && color.test(text));
  expect(found).toEqual([]);
});

/** What stands between elements, in style sheets and as the space properties of components. */
const spaceInStyle = /^(?:padding|margin|gap|row-gap|column-gap)(?:-[a-z-]+)?: (?<lengths>[^;]+);/;
const spaceInElement = /\b(?:gap|spacing|verticalSpacing|horizontalSpacing|[mp][tblrxyse]?)=\{(?<lengths>[^}]+)\}/g;

/** Whether a length is a step of 4 px. A hairline (1 px) and a half step (2 px) set what is optically one thing. */
const isStep = (px: number) => px % 4 === 0 || Math.abs(px) <= 2;

test("space is a step of 4 px", async () => {
  const found: { path: string; text: string }[] = [];
  let seen = 0;
  for (const line of await readLines("**/*.css")) {
    const lengths = [...(spaceInStyle.exec(line.text)?.groups?.lengths ?? "").matchAll(/(-?[\d.]+)(px|rem|em)/g)];
    seen += lengths.length;
    if (lengths.some(([, size, unit]) => unit !== "px" || !isStep(Number(size)))) found.push(line);
  }
  for (const line of await readLines("**/*.tsx")) {
    for (const match of line.text.matchAll(spaceInElement)) {
      seen++;
      // Strings in the expression are names of the scale.
      const sizes = (match.groups?.lengths ?? "").replaceAll(/"[^"]*"/g, "").matchAll(/(?<![\w.])-?\d+(?![\w.])/g);
      if ([...sizes].some(([size]) => !isStep(Number(size)))) found.push(line);
    }
  }
  expect(seen).toBeGreaterThan(200);
  expect(found).toEqual([]);
});
