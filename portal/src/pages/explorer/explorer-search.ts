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
  /** The console by default. */
  view?: "reference";
  form?: ResponseForm;
  /** Of the code. */
  language?: Language;
  /** The code by default. */
  pane?: Pane;
}

/** The search parameters of the explorer: its own, and under its name each field of the operation (call/address.ts). */
export type ExplorerSearch = KnownSearch & { [field: string]: string | number | undefined };

/** Reads the search parameters of the address. Further ones are fields, and stay as they are. */
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
