import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "../src");

/** Forms with nothing that is saved: a filter, credentials, codes, what the basket gets, and drafts that are kept while the tab is open. */
const free = [
  "shell/step-up-dialog.tsx",
  "pages/explorer/console.tsx",
  "pages/admin/account-id-field.tsx",
  "pages/market/buy/buy-dialog.tsx",
  "pages/library/license/upgrades.tsx",
  "pages/sandboxes/advance-form.tsx",
  "pages/device/confirm-login.tsx",
  "pages/device/device-page.tsx",
  /^pages\/account\/[a-z-]+-page\.tsx$/,
];

test("every form in which something can be lost is guarded", () => {
  const unguarded = globSync("**/*.tsx", { cwd: source }).filter((file) => {
    const text = readFileSync(join(source, file), "utf8");
    return /<form\s/.test(text) && !text.includes("useUnsavedWork(");
  });
  const isFree = (file: string) => free.some((each) => (typeof each === "string" ? each === file : each.test(file)));
  expect(unguarded.filter((file) => !isFree(file))).toEqual([]);
  // None of the list is there for nothing.
  for (const each of free) expect(unguarded.filter((file) => file.match(each))).not.toEqual([]);
});
