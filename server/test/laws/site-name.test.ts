import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writtenFiles } from "../harness/documents/documents.ts";

// The operator sets the name of the site with SITE_NAME. Documents use the name of the software.

const root = join(import.meta.dirname, "../../..");

/** The file with the default of SITE_NAME. */
const exempt = ["server/src/config.ts"];

const isChecked = (path: string): boolean =>
  /^(server\/src|portal\/src|portal\/public|portal\/index\.html)/.test(path) &&
  !/\.test\.tsx?$/.test(path) &&
  !exempt.includes(path);

/** Excludes "a beat marketplace", which describes the service and is not a name. */
const fixedName = /(?<!\ba )\bbeat\s+marketplace\b/i;

const fixedNames = (files: readonly { path: string; text: string }[]): string[] =>
  files.filter(({ path, text }) => isChecked(path) && fixedName.test(text)).map(({ path }) => path);

test("no page, mail or file contains a fixed name of the site", async () => {
  const pictures = globSync("portal/public/*.svg", { cwd: root });
  expect(pictures).toContain("portal/public/icon.svg");
  const files = [
    ...(await writtenFiles(root)),
    ...pictures.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })),
  ];
  expect(files.filter(({ path }) => isChecked(path)).length).toBeGreaterThan(500);
  expect(fixedNames(files)).toEqual([]);
});

test.each([
  "server/src/site/html/catalogue.ts",
  "portal/src/shell/brand.tsx",
  "portal/index.html",
  "portal/public/icon.svg",
])("a fixed name in %s is found", (path) => {
  expect(fixedNames([{ path, text: "Welcome to Beat\n  Marketplace." }])).toEqual([path]);
});
