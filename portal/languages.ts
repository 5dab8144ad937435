import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import type { PortalArea } from "../contract/texts/en/portal/index.ts";
import { type Language, languageCodes } from "../contract/texts/languages.ts";
import { portalTexts } from "../contract/texts/portal.ts";
import type { Texts } from "../contract/texts/text.ts";

const areas = Object.keys(portalTexts.en) as PortalArea[];

export const isArea = (name: string): name is PortalArea => areas.includes(name as PortalArea);

/** The short form of each key. Keys that sources compose, such as `role.${role}`, have none and stay unchanged. */
const shortKeys = new Map<string, string>();
const root = join(import.meta.dirname, "src");
const sources = globSync("**/*.{ts,tsx}", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
const composed = new Set(sources.flatMap((code) => [...code.matchAll(/`(\w+)\.\$\{/g)].map(([, prefix]) => prefix)));
for (const area of areas)
  for (const key of Object.keys(portalTexts.en[area]))
    if (!composed.has(key.slice(0, key.indexOf(".")))) shortKeys.set(key, `.${shortKeys.size.toString(36)}`);

const withShortKeys = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [shortKeys.get(key) ?? key, text]));

/** The texts of an area as the build writes them. */
export const builtTexts = (language: Language, area: PortalArea): Texts => withShortKeys(portalTexts[language][area]);

/** The script with the texts of an area. Its name contains the hash of its content. */
function areaScript(language: Language, area: PortalArea): { fileName: string; source: string } {
  const source = `export default ${JSON.stringify(builtTexts(language, area))}`;
  const hash = createHash("sha256").update(source).digest("base64url").slice(0, 8);
  return { fileName: `assets/texts-${language}-${area}-${hash}.js`, source };
}

/**
 * Replaces keys in the sources with short ones, and writes a script with the texts of each language and area. When
 * the user goes to a page of another area, the portal loads that area's script.
 */
export function areaTexts(): Plugin {
  return {
    name: "area-texts",
    apply: "build",
    enforce: "pre",
    transform: (code, id) =>
      id.startsWith(root) && /\.tsx?$/.test(id)
        ? { code: code.replace(/"(\w+\.\w+)"/g, (_, key: string) => `"${shortKeys.get(key) ?? key}"`), map: null }
        : null,
    generateBundle() {
      for (const language of languageCodes)
        for (const area of areas) this.emitFile({ type: "asset", ...areaScript(language, area) });
    },
  };
}

/**
 * Writes all texts in English into the page of Vite's development server, which serves the sources with their long
 * keys.
 */
export const textsInDevelopment = (): Plugin => ({
  name: "texts-in-development",
  apply: "serve",
  transformIndexHtml: (html) =>
    withTexts(html, { texts: Object.assign({}, ...Object.values(portalTexts.en)), files: {} }),
});

/** Adds texts at the end of a page, because the first paint does not need them. */
function withTexts(html: string, localeData: { texts: Texts; files: Record<string, string> }): string {
  const json = JSON.stringify(localeData).replaceAll("<", "\\u003c");
  return html.replace("  </body>", () => `    <script type="application/json" id="texts">${json}</script>\n  </body>`);
}

/**
 * A page in a language, with the texts of an area (none for null) and of `common`, so that the browser needs no file
 * of texts before it paints.
 */
export function inLanguage(html: string, language: Language, area: PortalArea | null): string {
  if (!html.includes('<html lang="en"')) throw new Error("index.html has no language.");
  const isThere = (each: PortalArea) => each === "common" || each === area;
  const texts = Object.assign({}, ...areas.filter(isThere).map((each) => builtTexts(language, each)));
  const files = Object.fromEntries(
    areas.filter((each) => !isThere(each)).map((each) => [each, `/portal/${areaScript(language, each).fileName}`]),
  );
  return withTexts(html.replace('<html lang="en"', `<html lang="${language}"`), { texts, files });
}
