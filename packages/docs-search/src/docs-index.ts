import MiniSearch, { type Options } from "minisearch";

/** A heading of a document with its text. */
export interface DocsPart {
  /** For example "/portal/docs/webhooks#verifying". */
  address: string;
  /** Of the documents' contents. */
  group: string;
  /** Of the document. */
  title: string;
  /** The title again for what stands below it. */
  heading: string;
  text: string;
}

export type DocsIndex = MiniSearch<DocsPart>;

/** Where an index is made and where it is read again: both must agree. */
const options: Options<DocsPart> = {
  idField: "address",
  fields: ["title", "heading", "text"],
  // "limits" and "limit" are one word.
  processTerm: (term) => term.toLowerCase().replace(/(?<=\p{L}{3})s$/u, ""),
  storeFields: ["group", "title", "heading", "text"],
};

export function makeDocsIndex(parts: readonly DocsPart[]): DocsIndex {
  const index = new MiniSearch<DocsPart>(options);
  index.addAll(parts);
  return index;
}

/** An index again, of its `toJSON()`. */
export const openDocsIndex = (json: object): DocsIndex => MiniSearch.loadJS<DocsPart>(json as never, options);
