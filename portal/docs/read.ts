import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { documents, groups, pathOf } from "./contents.ts";
import { type ConvertedDocument, convert } from "./convert.ts";

export const docsFolder = join(import.meta.dirname, "../../docs");

/** The document docs/`name`.md, converted. */
export const readDocument = async (name: string): Promise<ConvertedDocument> =>
  convert(name, await readMarkdown(name), { titleOf, sizeOf });

/** The document docs/`name`.md as it is. */
export const readMarkdown = (name: string): Promise<string> => readFile(join(docsFolder, `${name}.md`), "utf8");

/** Every document by its name. */
export const readDocuments = async (): Promise<Map<string, ConvertedDocument>> =>
  new Map(await Promise.all(documents.map(async (name) => [name, await readDocument(name)] as const)));

export interface DocsGroup {
  title: string;
  pages: { name: string; path: string; title: string; summary: string }[];
}

/** What there is to read, with the title and first sentence of each. */
export const contentsOf = (converted: ReadonlyMap<string, ConvertedDocument>): DocsGroup[] =>
  groups.map(({ title, pages }) => ({
    title,
    pages: pages.map((name) => {
      const its = converted.get(name);
      return {
        name,
        path: pathOf(name),
        title: its?.title ?? name,
        summary: firstSentence(its?.summary ?? ""),
      };
    }),
  }));

/** Without the addresses of documents, which stand in parentheses where they are links. */
function firstSentence(summary: string): string {
  const text = summary.replaceAll(/ \([\w/-]+\.md(?:#[\w-]+)?\)/g, "");
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

const titleOf = (name: string): string =>
  /^# (.+)$/m.exec(readFileSync(join(docsFolder, `${name}.md`), "utf8"))?.[1] ?? name;

/** The size of a PNG, or of the box of an SVG. */
function sizeOf(path: string): { width: number; height: number } {
  const bytes = readFileSync(join(docsFolder, path));
  if (path.endsWith(".png")) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  // Lossy WebP: the frame header stands behind those of the file and its chunk (RFC 9649, section 2.5; RFC 6386, section 9.1).
  if (path.endsWith(".webp"))
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  const [, , , width = "", height = ""] = /viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(bytes.toString()) ?? [];
  if (Number(width) > 0 && Number(height) > 0) return { width: Number(width), height: Number(height) };
  throw new Error(`docs/${path} has no size.`);
}
