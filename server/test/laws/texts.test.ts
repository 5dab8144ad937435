import { join } from "node:path";
import { expect, test } from "vitest";
import { de } from "../../../contract/texts/de/index.ts";
import { en } from "../../../contract/texts/en/index.ts";
import { mailTexts } from "../../../contract/texts/mails.ts";
import type { Text, Texts } from "../../../contract/texts/text.ts";
import { writtenFiles } from "../harness/documents/documents.ts";
import { templatesIn } from "../harness/documents/templates.ts";

// The texts of pages stand in contract/texts (docs/translating.md).

const files = await writtenFiles(join(import.meta.dirname, "../../.."));

/** The sources of pages in the reader's language. */
const isPage = (path: string): boolean =>
  /^server\/src\/(site\/.*|resources\/(libraries|free-downloads|checkouts\/page|orders\/payments\/page)\/.*|resources\/mails\/unsubscribe)\.ts$/.test(
    path,
  ) && !/\.test\.ts$/.test(path);

/** What is the same in all languages: names of formats and units, and the elements of feeds, which programs read. */
const neutral = /^(?:JSON|BPM|UTC|OpenAPI|[^a-zA-Z]|\0|\\.)*$/;
const attribute = /\s(?:aria-label|placeholder|alt|title)="([^"]*)"/g;
const labelled = /\b(?:title|description|problem|kind|heading|label)\s*[:=]\s*"([A-Z][^"]* [^"]*)"/g;

/** The texts of a page's source that stand outside of contract/texts. */
function textsIn(source: string): string[] {
  const html = templatesIn(source)
    .filter((template) => /<[a-z]/.test(template) && !template.startsWith("<?xml"))
    .flatMap((template) => {
      const plain = template.replaceAll(/<(style|script|code)\b[\s\S]*?<\/\1>/g, "");
      return [...plain.split(/<[^>]*>/), ...[...plain.matchAll(attribute)].map(([, text = ""]) => text)];
    })
    .filter((text) => !neutral.test(text));
  return [...html, ...[...source.matchAll(labelled)].map(([, text = ""]) => text)].map((text) => text.trim());
}

/** Parts that stay in English, with the reason. */
const exempt: Readonly<Record<string, string>> = {
  "server/src/site/api-catalog.ts": "documents for programs",
  "server/src/site/sitemap/routes.ts": "documents for programs",
};

test("no page has a text outside of contract/texts", () => {
  const pages = files.filter(({ path }) => isPage(path) && !(path in exempt));
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.flatMap(({ path, text }) => textsIn(text).map((found) => `${path}: ${found}`))).toEqual([]);
});

test.each([
  ["a paragraph", "const a = `<p>Nothing is here.</p>`;", ["Nothing is here."]],
  ["a word within an expression", `const a = \`<p>\${b ? \`<b>Gone</b>\` : \`\`}</p>\`;`, ["Gone"]],
  ["a name for screen readers", `const a = \`<nav aria-label="Pages">\${b}</nav>\`;`, ["Pages"]],
  ["a title", 'return page({ title: "Your files" });', ["Your files"]],
  ["no text of contract/texts", `const a = \`<p>\${locale.t("basket.empty")} \${b} BPM</p>\`; // <p>Not this.</p>`, []],
])("%s is found", (_, source, found) => {
  expect(textsIn(source)).toEqual(found);
});

const sources = files.filter(({ path }) => /^(server|portal)\/src\/.*\.tsx?$/.test(path) && !/\.test\./.test(path));

/** The keys that no source names, as a whole or as a template with an expression in it. */
function unusedIn(keys: readonly string[], code: string): string[] {
  const named = new Set([...code.matchAll(/"([a-zA-Z]+\.[\w.]+)"/g)].map(([, key]) => key));
  const templates = [...code.matchAll(/`([a-zA-Z]+\.(?:[a-zA-Z]+\.)?)\$\{[^}]+\}([a-zA-Z]*)`/g)];
  return keys.filter(
    (key) =>
      !named.has(key) && !templates.some(([, start = "", end = ""]) => key.startsWith(start) && key.endsWith(end)),
  );
}

test("each text is used", () => {
  const code = sources.map(({ text }) => text).join("\n");
  expect(unusedIn(Object.keys(en), code)).toEqual([]);
  expect(unusedIn(["basket.nowhere"], code)).toEqual(["basket.nowhere"]);
});

const formsOf = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));
const namesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))].sort();

test.each<[string, Texts, Texts]>([
  ["pages", en, de],
  ["mails", mailTexts.en, mailTexts.de],
])("the German texts of %s have the same keys and placeholders, and no markup", (_, english, german) => {
  expect(Object.keys(german)).toEqual(Object.keys(english));
  for (const [key, text] of Object.entries(english)) {
    const other = german[key] as Text;
    expect(typeof other, key).toBe(typeof text);
    const [ours, theirs] = [formsOf(text), formsOf(other)].map((forms) => namesIn(forms.join(" ")));
    expect(theirs, key).toEqual(ours);
    for (const form of [...formsOf(text), ...formsOf(other)]) expect(form, key).not.toMatch(/[<>&"]/);
  }
});
