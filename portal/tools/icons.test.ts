import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { iconFiles, importedIcons } from "./icon-files.ts";

const folder = join(import.meta.dirname, "../icons");

test("portal/icons has exactly the icons that the portal imports, unchanged from their package", async () => {
  const paths = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = paths
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const texts = await Promise.all(files.map((path) => readFile(path, "utf8")));
  const filesByPath = Object.fromEntries(files.map((path, index) => [path.slice(folder.length + 1), texts[index]]));
  // If this fails, run npm run icons.
  expect(filesByPath).toEqual(Object.fromEntries(await iconFiles()));
  expect(Object.keys(filesByPath)).toContain("icons/IconDownload.mjs");
});

test("an imported type does not count as an icon", async () => {
  const names = await importedIcons();
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => name === "Icon" || name.includes(" "))).toEqual([]);
});
