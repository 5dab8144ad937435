import type { Options } from "minisearch";

/** A heading of a document with its text. */
export interface SearchablePart {
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

/** An operation of the API. */
export interface SearchableCall {
  /** For example "getBeat". */
  id: string;
  method: string;
  path: string;
  summary: string;
  /** Its page in the reference. */
  group: string;
}

/** How the index is made at build time, and read again in the browser: both must agree. */
export const searchOptions: Options<SearchablePart> = {
  idField: "address",
  fields: ["title", "heading", "text"],
  // "limits" and "limit" are one word.
  processTerm: (term) => term.toLowerCase().replace(/(?<=\p{L}{3})s$/u, ""),
  storeFields: ["group", "title", "heading", "text"],
};
