import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The only style sheet that may contain colour values. */
const tokens = "tokens.css";
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

test("no style sheet except the tokens contains colour values", async () => {
  const lines = await readLines("**/*.css");
  expect(new Set(lines.map(({ path }) => path)).size).toBeGreaterThan(20);
  const violations = lines.filter(({ path, text }) => path !== tokens && color.test(text));
  expect(violations).toEqual([]);
});

/** Matches declarations of space between elements in style sheets. */
const spaceInStyle = /^(?:padding|margin|gap|row-gap|column-gap)(?:-[a-z-]+)?: (?<lengths>[^;]+);/;
const spaceInElement = /\b(?:gap|spacing|verticalSpacing|horizontalSpacing|[mp][tblrxyse]?)=\{(?<lengths>[^}]+)\}/g;

/** Whether a length is a multiple of 4 px, a hairline (1 px) or a half step (2 px). */
const isStep = (px: number) => px % 4 === 0 || Math.abs(px) <= 2;

test("space in style sheets and elements is 1 px, 2 px or a multiple of 4 px", async () => {
  const violations: { path: string; text: string }[] = [];
  let lengthCount = 0;
  for (const line of await readLines("**/*.css")) {
    const lengths = [...(spaceInStyle.exec(line.text)?.groups?.lengths ?? "").matchAll(/(-?[\d.]+)(px|rem|em)/g)];
    lengthCount += lengths.length;
    if (lengths.some(([, size, unit]) => unit !== "px" || !isStep(Number(size)))) violations.push(line);
  }
  for (const line of await readLines("**/*.tsx")) {
    for (const match of line.text.matchAll(spaceInElement)) {
      lengthCount++;
      // Ignore strings in the expression: they are names of the scale.
      const sizes = (match.groups?.lengths ?? "").replaceAll(/"[^"]*"/g, "").matchAll(/(?<![\w.])-?\d+(?![\w.])/g);
      if ([...sizes].some(([size]) => !isStep(Number(size)))) violations.push(line);
    }
  }
  expect(lengthCount).toBeGreaterThan(200);
  expect(violations).toEqual([]);
});
