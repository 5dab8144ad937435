import { join } from "node:path";
import { expect, test } from "vitest";
import { writtenFiles } from "../harness/documents/documents.ts";

// The operator chooses the name of the site: SITE_NAME. Documents and the API's title have the name of the software.

/** The default of SITE_NAME, and the titles of the two OpenAPI documents, which the contract fixes. */
const exempt = ["server/src/config.ts", "server/src/openapi/document.ts", "server/src/portal/openapi.ts"];

const isChecked = (path: string): boolean =>
  /^(server\/src|portal\/src|portal\/index\.html)/.test(path) && !/\.test\.tsx?$/.test(path) && !exempt.includes(path);

const fixedNames = (files: readonly { path: string; text: string }[]): string[] =>
  files.filter(({ path, text }) => isChecked(path) && /beat\s+marketplace\b/i.test(text)).map(({ path }) => path);

test("no page, mail or file contains a fixed name of the site", async () => {
  const files = await writtenFiles(join(import.meta.dirname, "../../.."));
  expect(files.filter(({ path }) => isChecked(path)).length).toBeGreaterThan(500);
  expect(fixedNames(files)).toEqual([]);
});

test.each(["server/src/site/html/catalogue.ts", "portal/src/shell/brand.tsx", "portal/index.html"])(
  "a fixed name in %s is found",
  (path) => {
    expect(fixedNames([{ path, text: "Welcome to Beat\n  Marketplace." }])).toEqual([path]);
  },
);
