import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { clientTitles, documents, groups, libraryOf, pathOf, sourceOf } from "./contents.ts";
import { type ConvertedDocument, convert } from "./convert.ts";
import { type Reference, referenceOf } from "./reference/reference.ts";

export const repository = join(import.meta.dirname, "../..");
export const docsFolder = join(repository, "docs");

const references = new Map<string, Promise<Reference>>();
const converted = new Map<string, Promise<ConvertedDocument>>();

/** Reads and converts a document. Caches generated pages, because a build reads each of them several times. */
export function readDocument(name: string): Promise<ConvertedDocument> {
  if (libraryOf(name) === null) return convertDocument(name);
  const document = converted.get(name) ?? convertDocument(name);
  converted.set(name, document);
  return document;
}

async function convertDocument(name: string): Promise<ConvertedDocument> {
  const document = await convert(name, await readMarkdown(name), { titleOf, sizeOf });
  return { ...document, title: clientTitles[name] ?? document.title };
}

/** The Markdown of a document. Below the title of a library's README, it has links to the reference. */
export async function readMarkdown(name: string): Promise<string> {
  const library = libraryOf(name);
  if (library !== null) {
    const reference = references.get(library) ?? referenceOf(library);
    references.set(library, reference);
    return name.endsWith("-types") ? (await reference).types : (await reference).reference;
  }
  const markdown = await readFile(join(repository, sourceOf(name)), "utf8");
  const page = name.slice("clients/".length);
  return name in clientTitles ? markdown.replace(/^# .+\n/, (title) => `${title}\n${linksOf(page)}\n`) : markdown;
}

const linksOf = (library: string): string =>
  `- [Reference](${library}-reference.md): every method, with its parameters, errors and an example\n` +
  `- [Types](${library}-types.md): what the methods take and return`;

/** Every document by its name. */
export const readDocuments = async (): Promise<Map<string, ConvertedDocument>> =>
  new Map(await Promise.all(documents.map(async (name) => [name, await readDocument(name)] as const)));

export interface DocsGroup {
  title: string;
  pages: { name: string; path: string; title: string; summary: string }[];
}

/** The groups of documents, with the title and first sentence of each document. */
export const contentsOf = (converted: ReadonlyMap<string, ConvertedDocument>): DocsGroup[] =>
  groups.map(({ title, pages }) => ({
    title,
    pages: pages.map((name) => {
      const page = converted.get(name);
      return {
        name,
        path: pathOf(name),
        title: page?.title ?? name,
        summary: firstSentence(page?.summary ?? ""),
      };
    }),
  }));

/** The first sentence of a summary, or its text up to a colon. Without file names in parentheses, ` (orders.md)`. */
function firstSentence(summary: string): string {
  const text = summary.replaceAll(/ \([\w/-]+\.md(?:#[\w-]+)?\)/g, "");
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

const titleOf = (name: string): string =>
  clientTitles[name] ?? /^# (.+)$/m.exec(readFileSync(join(repository, sourceOf(name)), "utf8"))?.[1] ?? name;

/** The size of a PNG or WebP image, or of the view box of an SVG. */
function sizeOf(path: string): { width: number; height: number } {
  const bytes = readFileSync(join(docsFolder, path));
  if (path.endsWith(".png")) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  // Lossy WebP: the frame header follows the file header and the chunk header (RFC 9649, section 2.5; RFC 6386, section
  // 9.1).
  if (path.endsWith(".webp"))
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  const [, , , width = "", height = ""] = /viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(bytes.toString()) ?? [];
  if (Number(width) > 0 && Number(height) > 0) return { width: Number(width), height: Number(height) };
  throw new Error(`docs/${path} has no size.`);
}
