import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "../src");
const files = globSync("**/*.tsx", { cwd: source });
const textOf = new Map(files.map((file) => [file, readFileSync(join(source, file), "utf8")]));

/** Forms without input to lose: filters, credentials, codes, basket items, and drafts that the tab keeps. */
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
const isFree = (file: string) => free.some((each) => (typeof each === "string" ? each === file : each.test(file)));

test("every form with input to lose is guarded", () => {
  const unguarded = files.filter((file) => {
    const text = textOf.get(file) ?? "";
    return /<form\s/.test(text) && !text.includes("useUnsavedWork(");
  });
  expect(unguarded.filter((file) => !isFree(file))).toEqual([]);
  // Each exception must still match an unguarded form.
  for (const exception of free) expect(unguarded.filter((file) => file.match(exception))).not.toEqual([]);
});

test("every field that saves without a form is guarded", () => {
  const unguarded = files.filter((file) => {
    const text = textOf.get(file) ?? "";
    const isSaved = /<(TextInput|Textarea|DecimalInput|TagsField)\b/.test(text) && /Mutation\(/.test(text);
    return isSaved && !/<form\s|<GuardedForm\b|<ReasonDialog\b|useUnsavedWork\(/.test(text);
  });
  // The only exception: license-fields.tsx is part of two guarded forms, and saves only their values.
  expect(unguarded).toEqual(["pages/studio/beat/license-fields.tsx"]);
});

type Sources = ReadonlyMap<string, string>;

const hasForm = (text: string): boolean => /<GuardedForm\b|\buseUnsavedWork\(/.test(text);
const imported = (file: string, text: string): string[] =>
  [...text.matchAll(/(?:from |import\()"(\.[^"]+\.tsx)"/g)].map(([, path = ""]) => join(dirname(file), path));

/** Whether a module, or a module that it imports, shows a form outside a guarded dialog. */
function leadsToForm(file: string, sources: Sources, visited = new Set<string>()): boolean {
  const text = sources.get(file);
  // display/unsaved-work.tsx defines the guarded form. Fields import the module for other parts.
  if (text === undefined || visited.has(file) || file === "display/unsaved-work.tsx") return false;
  visited.add(file);
  if (text.includes("<GuardedModal")) return false;
  return hasForm(text) || imported(file, text).some((each) => leadsToForm(each, sources, visited));
}

const nameOf = (part: string): string | undefined => /^(?:export )?(?:function|const) (\w+)/.exec(part)?.[1];

/** Whether a component of a module, or one that it shows, has a form outside a guarded dialog. */
function showsForm(part: string, parts: readonly string[], visited = new Set<string>()): boolean {
  visited.add(part);
  if (hasForm(part)) return true;
  const shownParts = parts.filter((each) => !visited.has(each) && new RegExp(`<${nameOf(each)}\\b`).test(part));
  return shownParts.some((each) => !each.includes("<GuardedModal") && showsForm(each, parts, visited));
}

/** The problems of the dialogs in a module, as sentences. */
function dialogProblems(file: string, sources: Sources): string[] {
  const text = sources.get(file) ?? "";
  const parts = text.split(/^(?=(?:export )?(?:function|const) )/m);
  return parts.flatMap((part) => [
    ...(/<Modal\b/.test(part) &&
    (showsForm(part, parts) || imported(file, text).some((each) => leadsToForm(each, sources)))
      ? ["a Modal has a form: take GuardedModal"]
      : []),
    ...(part.includes("<GuardedModal") && part.includes("useUnsavedWork(")
      ? ["useUnsavedWork is called outside of its GuardedModal: make the form a component inside of it"]
      : []),
    ...(hasForm(part) && /onClick=\{(?:props\.)?on(?:Close|Cancel|Done)\}/.test(part)
      ? ["a button closes a form without asking: take CloseDialogButton, or ask mayClose"]
      : []),
  ]);
}

test("every dialog with a form asks before it closes", () => {
  expect([...textOf.values()].filter((text) => text.includes("<GuardedModal")).length).toBeGreaterThan(15);
  const checked = files.filter((file) => !isFree(file));
  expect(checked.flatMap((file) => dialogProblems(file, textOf).map((problem) => `${file}: ${problem}`))).toEqual([]);
});

test.each([
  ["a form", "<Modal><GuardedForm /></Modal>", /take GuardedModal/],
  [
    "a form of the same file",
    "function D() { <Modal><Form /></Modal> }\nfunction Form() { <Fields /> }\nconst Fields = () => <GuardedForm />",
    /take GuardedModal/,
  ],
  [
    "a guarded dialog of the same file",
    "function D() { <Modal /><Other /> }\nfunction Other() { <GuardedModal><GuardedForm /></GuardedModal> }",
    /^$/,
  ],
  ["an imported form", 'import { Fields } from "./fields.tsx";\n<Modal><Fields /></Modal>', /take GuardedModal/],
  ["a form that its guard does not see", "useUnsavedWork(a); <GuardedModal />", /component inside/],
  ["a Cancel of its own", "<GuardedForm><Button onClick={onClose} /></GuardedForm>", /take CloseDialogButton/],
  ["a question", '<Modal><Button onClick={onClose} /></Modal>; import("./dialog.tsx")', /^$/],
])("a dialog with %s has the expected problem, or none", (_, text, problem) => {
  const sources = new Map([
    ["a.tsx", text],
    ["fields.tsx", "useUnsavedWork(isDirty)"],
    ["dialog.tsx", "<GuardedModal><GuardedForm /></GuardedModal>"],
  ]);
  expect(dialogProblems("a.tsx", sources).join()).toMatch(problem);
});
