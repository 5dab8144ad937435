import MiniSearch, { type Options } from "minisearch";

/** A heading of a document with its text. */
export interface DocsPart {
  /** For example "/portal/docs/webhooks#verifying". */
  address: string;
  /** The group in the documents' table of contents. */
  group: string;
  /** The document's title. */
  title: string;
  /** The heading; for the text before the first heading, the title. */
  heading: string;
  text: string;
}

export type DocsIndex = MiniSearch<DocsPart>;

/** Building and opening an index must use the same options. */
const options: Options<DocsPart> = {
  idField: "address",
  fields: ["title", "heading", "text"],
  // Treats "limits" and "limit" as one word.
  processTerm: (term) => term.toLowerCase().replace(/(?<=\p{L}{3})s$/u, ""),
  storeFields: ["group", "title", "heading", "text"],
};

export function makeDocsIndex(parts: readonly DocsPart[]): DocsIndex {
  const index = new MiniSearch<DocsPart>(options);
  index.addAll(parts);
  return index;
}

/** Opens an index from the result of its `toJSON()`. */
export const openDocsIndex = (json: object): DocsIndex => MiniSearch.loadJS<DocsPart>(json as never, options);
