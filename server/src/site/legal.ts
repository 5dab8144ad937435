import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { type LegalSlug, legalPages, type SiteSettings } from "../../site-settings.ts";
import { type ConvertedPage, convertPage } from "../markdown.ts";

/** By page; null for a page without a text of the operator. */
export type LegalTexts = Readonly<Record<LegalSlug, ConvertedPage | null>>;

const maxBytes = 524_288;
const nothing: LegalTexts = { terms: null, privacy: null, contact: null };

/** Reads SITE_PAGES. Throws an OperatorError that names the file and its expected content. */
export async function openLegalTexts({ pages: folder }: Pick<SiteSettings, "pages">): Promise<LegalTexts> {
  if (folder === undefined) return nothing;
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `SITE_PAGES is ${folder}, which cannot be read (${error.code}). It takes a folder with ${fileNames}.`,
    );
  });
  const texts: Record<LegalSlug, ConvertedPage | null> = { ...nothing };
  for (const { slug } of legalPages)
    if (names.includes(`${slug}.md`)) texts[slug] = await readText(join(folder, `${slug}.md`));
  const unknown = names.find((name) => name.endsWith(".md") && !(name.slice(0, -".md".length) in nothing));
  if (unknown !== undefined)
    throw new OperatorError(`${join(folder, unknown)} is no page of the site. SITE_PAGES takes ${fileNames}.`);
  return texts;
}

const fileNames = legalPages.map(({ slug }) => `${slug}.md`).join(", ");

async function readText(file: string): Promise<ConvertedPage> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${file} cannot be read (${error.code}).`);
  });
  if (bytes.length > maxBytes)
    throw new OperatorError(`${file} has ${bytes.length} bytes; it takes at most ${maxBytes}.`);
  const text = bytes.toString("utf8");
  if (text.trim() === "") throw new OperatorError(`${file} is empty. Write the page, or delete the file.`);
  if (text.includes("\uFFFD")) throw new OperatorError(`${file} is not UTF-8; save it as UTF-8.`);
  return convertPage(text);
}
