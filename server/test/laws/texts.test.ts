import { join } from "node:path";
import { expect, test } from "vitest";
import { de } from "../../../contract/texts/de/index.ts";
import { en } from "../../../contract/texts/en/index.ts";
import type { PortalArea } from "../../../contract/texts/en/portal/index.ts";
import { mailTexts } from "../../../contract/texts/mails.ts";
import { portalTexts } from "../../../contract/texts/portal.ts";
import type { Text, Texts } from "../../../contract/texts/text.ts";
import { writtenFiles } from "../harness/documents/documents.ts";
import { jsxTexts } from "../harness/documents/jsx-texts.ts";
import { templatesIn } from "../harness/documents/templates.ts";

// The texts of pages are in contract/texts (docs/translating.md).

const files = await writtenFiles(join(import.meta.dirname, "../../.."));

/** The sources of pages in the reader's language. */
const isPage = (path: string): boolean =>
  /^server\/src\/(site\/.*|resources\/(libraries|free-downloads|checkouts\/page|orders\/payments\/page)\/.*|resources\/mails\/unsubscribe)\.ts$/.test(
    path,
  ) && !/\.test\.ts$/.test(path);

/**
 * Texts that are the same in all languages: names of formats and units, and the elements of feeds, which programs read.
 */
const neutral = /^(?:JSON|BPM|UTC|OpenAPI|[^a-zA-Z]|\0|\\.)*$/;
const attribute = /\s(?:aria-label|placeholder|alt|title)="([^"]*)"/g;
const labelled = /\b(?:title|description|problem|kind|heading|label)\s*[:=]\s*"([A-Z][^"]* [^"]*)"/g;

/** The texts of a page's source that are not from contract/texts. */
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

/** Parts that remain in English, with the reason. */
const exempt: Readonly<Record<string, string>> = {
  "server/src/site/api-catalog.ts": "documents for programs",
  "server/src/site/sitemap/routes.ts": "documents for programs",
};

test("every text of a page is in contract/texts", () => {
  const pages = files.filter(({ path }) => isPage(path) && !(path in exempt));
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.flatMap(({ path, text }) => textsIn(text).map((problem) => `${path}: ${problem}`))).toEqual([]);
});

test.each([
  ["a paragraph", "const a = `<p>Nothing is here.</p>`;", ["Nothing is here."]],
  ["a word within an expression", `const a = \`<p>\${b ? \`<b>Gone</b>\` : \`\`}</p>\`;`, ["Gone"]],
  ["a name for screen readers", `const a = \`<nav aria-label="Pages">\${b}</nav>\`;`, ["Pages"]],
  ["a title", 'return page({ title: "Your files" });', ["Your files"]],
  ["no text of contract/texts", `const a = \`<p>\${locale.t("basket.empty")} \${b} BPM</p>\`; // <p>Not this.</p>`, []],
])("%s is found", (_, source, expected) => {
  expect(textsIn(source)).toEqual(expected);
});

/** The sources of the portal in the reader's language. The pages of developers and operators are in English. */
const isPortal = (path: string): boolean =>
  /^portal\/src\/(shell|pages\/(account|earnings|library|market|organisation|sales|studio))\/.*\.tsx?$/.test(path) &&
  !/\.test\./.test(path);

/** Display components that only developers' pages have. */
const ofDevelopers =
  /^portal\/src\/display\/(api-changes|calls|charts|code|keys|limit-gauge|version-select|webhooks)\b/;
const isDisplay = (path: string): boolean =>
  /^portal\/src\/display\/.*\.tsx?$/.test(path) && !/\.test\./.test(path) && !ofDevelopers.test(path);

test("every text of the portal is in contract/texts, and no page reads a text before its area is loaded", () => {
  const pages = files.filter(({ path }) => isPortal(path) || isDisplay(path));
  expect(pages.length).toBeGreaterThan(180);
  const textsByPage = pages.map(({ path, text }) => ({ path, ...jsxTexts(path, text) }));
  expect(textsByPage.flatMap(({ path, sourceTexts }) => sourceTexts.map((text) => `${path}: ${text}`))).toEqual([]);
  // The texts of `common`, which display components use, are always loaded.
  const earlyReaders = textsByPage.filter(({ path }) => path.startsWith("portal/src/pages/"));
  expect(earlyReaders.flatMap(({ path, earlyKeys }) => earlyKeys.map((call) => `${path}: ${call}`))).toEqual([]);
});

test.each([
  ["a text of an element", "const A = () => <p>Nothing is <b>here</b>.</p>;", ["Nothing is", "here"]],
  ["an attribute", 'const A = () => <Page title="Your files" size="lg" />;', ["Your files"]],
  [
    "a field of an object",
    `const a = [{ label: "Sales", tone: "quiet" }, { "aria-label": \`Remove \${b}\` }];`,
    ["Sales", "Remove"],
  ],
  [
    "a function of an attribute",
    `const A = () => <Chart rangeLabel={({ from, to }) => \`\${from} to \${to}\`} />;`,
    ["to"],
  ],
  ["one of two texts", 'const A = () => <p>{b ? "Open" : t("a.closed")}</p>;', ["Open"]],
  [
    "no text of contract/texts",
    'const a = { label: "a.b" }; const A = () => <Page title={t("a.b")}>{words("a.c", { d: <b>{e}</b> })} 3</Page>;',
    [],
  ],
])("%s of the portal is found", (_, source, sourceTexts) => {
  expect(jsxTexts("a.tsx", source)).toEqual({ sourceTexts, earlyKeys: [] });
});

test("a text that is read during the load of a module is detected", () => {
  expect(jsxTexts("a.tsx", 'const names = { a: t("a.b") }; const A = () => <p>{t("a.b")}</p>;').earlyKeys).toEqual([
    't("a.b")',
  ]);
});

const sources = files.filter(({ path }) => /^(server|portal)\/src\/.*\.tsx?$/.test(path) && !/\.test\./.test(path));

/** The keys that no source names, neither as a whole nor as a template with an expression. */
function unusedIn(keys: readonly string[], code: string): string[] {
  const usedKeys = new Set([...code.matchAll(/"([a-zA-Z]+\.[\w.]+)"/g)].map(([, key]) => key));
  const templates = [...code.matchAll(/`([a-zA-Z]+\.(?:[a-zA-Z]+\.)?)\$\{[^}]+\}([a-zA-Z]*)`/g)];
  return keys.filter(
    (key) =>
      !usedKeys.has(key) && !templates.some(([, start = "", end = ""]) => key.startsWith(start) && key.endsWith(end)),
  );
}

test("every text is used", () => {
  const code = sources.map(({ text }) => text).join("\n");
  expect(unusedIn([en, ...Object.values(portalTexts.en)].flatMap(Object.keys), code)).toEqual([]);
  expect(unusedIn(["basket.nowhere"], code)).toEqual(["basket.nowhere"]);
});

const areas = Object.keys(portalTexts.en) as PortalArea[];

test("all keys of the portal's areas are different", () => {
  const keys = areas.flatMap((area) => Object.keys(portalTexts.en[area]));
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

const formsOf = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));
const namesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))].sort();

test.each<[string, Texts, Texts]>([
  ["pages", en, de],
  ["mails", mailTexts.en, mailTexts.de],
  ...areas.map((area): [string, Texts, Texts] => [`the portal's ${area}`, portalTexts.en[area], portalTexts.de[area]]),
])("the German texts of %s have the same keys and placeholders, and no markup", (_, english, german) => {
  expect(Object.keys(german)).toEqual(Object.keys(english));
  for (const [key, text] of Object.entries(english)) {
    const other = german[key] as Text;
    expect(typeof other, key).toBe(typeof text);
    const [englishNames, translatedNames] = [formsOf(text), formsOf(other)].map((forms) => namesIn(forms.join(" ")));
    expect(translatedNames, key).toEqual(englishNames);
    for (const form of [...formsOf(text), ...formsOf(other)]) expect(form, key).not.toMatch(/[<>&"]/);
  }
});
