import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type DocsPart, makeDocsIndex } from "@beatmarket/docs-search/docs-index.ts";
import type { SearchableCall } from "../src/shell/search/search-docs.ts";
import { clientTitles, groups, libraryOf, pathOf } from "./contents.ts";
import type { ConvertedDocument } from "./convert.ts";

const openapi = join(import.meta.dirname, "../../contract/openapi.json");

/**
 * The data of the search dialog, loaded when it first opens: MiniSearch's index of the documents, and the API's calls.
 */
export async function searchIndex(
  converted: ReadonlyMap<string, ConvertedDocument>,
): Promise<{ docs: object; calls: SearchableCall[] }> {
  return { docs: docsIndex(converted), calls: await readCalls() };
}

/** MiniSearch's index of the documents, as JSON. */
export const docsIndex = (converted: ReadonlyMap<string, ConvertedDocument>): object =>
  makeDocsIndex(partsOf(converted)).toJSON();

/**
 * Every title and heading with the text below it. Pages of the client libraries have only their title and introduction
 * in the index: the five libraries repeat each other, and their headings would rank above the guides.
 */
const partsOf = (converted: ReadonlyMap<string, ConvertedDocument>): DocsPart[] =>
  groups.flatMap(({ title: group, pages }) =>
    pages.flatMap((name) => {
      const { title = name, sections = [] } = converted.get(name) ?? {};
      const isOfLibrary = name in clientTitles || libraryOf(name) !== null;
      const indexed = isOfLibrary ? sections.slice(0, 1) : sections;
      return indexed.map(({ id, heading, text }) => ({
        address: `/portal${pathOf(name)}${id === "" ? "" : `#${id}`}`,
        group,
        title,
        heading,
        text,
      }));
    }),
  );

interface OpenApiDocument {
  paths: Record<string, Record<string, { operationId: string; summary?: string; tags?: string[] }>>;
}

async function readCalls(): Promise<SearchableCall[]> {
  const { paths } = JSON.parse(await readFile(openapi, "utf8")) as OpenApiDocument;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary = operationId, tags: [tag = ""] = [] }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      summary,
      group: tag.toLowerCase(),
    })),
  );
}
