import { type Language, languageLabels } from "../../../../contract/snippets/language.ts";
import { id, oneOf, searchParams, text } from "../../api/search-params.ts";
import type { ResponseForm } from "./call/explorer-call.ts";

/** The parts of the pane next to the form. */
export type Pane = "code" | "response" | "headers";

interface KnownSearch {
  /** The id of the shown operation. */
  operation?: string;
  /** The id of the log entry that fills the form. */
  call?: number;
  /** The view; the console by default. */
  view?: "reference";
  form?: ResponseForm;
  /** The language of the code. */
  language?: Language;
  /** The tab of the pane; the code by default. */
  pane?: Pane;
}

/** The search parameters of the explorer: its own, and each field of the operation under its name (call/address.ts). */
export type ExplorerSearch = KnownSearch & { [field: string]: string | number | undefined };

/** Reads the search parameters of the address. Other parameters are fields, and are kept unchanged. */
export const readExplorerSearch = searchParams<KnownSearch>(
  {
    operation: text(40),
    call: id,
    view: oneOf(["reference"]),
    form: oneOf(["console", "reference"]),
    language: oneOf(Object.keys(languageLabels) as Language[]),
    pane: oneOf(["code", "response", "headers"]),
  },
  { others: "keep" },
) as (search: Record<string, unknown>) => ExplorerSearch;
