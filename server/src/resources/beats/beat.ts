import { foldWhole } from "@beatmarket/foundation/text/search-words.ts";
import { isVisible } from "@beatmarket/foundation/text/visible-text.ts";
import type { LicenseLimits } from "@beatmarket/license-terms/limits.ts";
import type { Selectable } from "kysely";
import type { BeatsTable } from "../../database/tables.ts";

// The columns of a beat. Statements that read beats (catalogue/beat-catalogue.ts, queries.ts) or import them
// (write/upsert.ts) are generated from this table, so a new column is one line here.

interface Column {
  /** Read for every beat of a list, or only for the details of one beat. Absent: no response needs the column. */
  read?: "list" | "detail";
  /**
   * The type of an imported value: `count` never decreases, `time` may be unknown, `texts` is an array. Absent: not
   * imported.
   */
  imported?: "text" | "texts" | "smallint" | "integer" | "bigint" | "float8" | "count" | "time";
  /** The import field that fills the column. Set only for fields that a catalogue may lack. */
  field?: string;
}

/** Prices are in cents; `price_cents` is the price of the basic license. `tempo` is in beats per minute, unrounded. */
const beatColumns = {
  id: { read: "list" },
  source: { imported: "text" },
  external_id: { imported: "text" },
  title: { read: "list", imported: "text" },
  user_id: { read: "list", imported: "bigint" },
  genre_id: { read: "list", imported: "bigint", field: "genre" },
  price_cents: { read: "list", imported: "integer" },
  premium_price_cents: { read: "detail", imported: "integer" },
  unlimited_price_cents: { read: "detail", imported: "integer" },
  exclusive_price_cents: { read: "detail", imported: "integer" },
  duration_seconds: { read: "list", imported: "integer", field: "duration" },
  tempo: { read: "list", imported: "float8" },
  key: { read: "list", imported: "text", field: "key" },
  key_code: { read: "detail", imported: "smallint", field: "key" },
  audio_url: { read: "list", imported: "text", field: "audio_url" },
  cover_image: { read: "list", imported: "text", field: "cover_image" },
  created_at: { read: "list", imported: "time", field: "created_at" },
  play_count: { read: "list", imported: "count", field: "play_count" },
  download_count: { read: "list", imported: "count", field: "download_count" },
  popularity: { imported: "smallint", field: "popularity" },
  popularity_key: { read: "list" },
  description: { read: "detail", imported: "text", field: "description" },
  tags: { read: "detail", imported: "texts", field: "tags" },
  unsold_licenses: { read: "detail" },
  license_limits: { read: "detail" },
  has_free_download: { read: "detail" },
  is_listed: { read: "detail" },
  is_taken_down: { read: "detail" },
  exclusive_state: { read: "detail" },
  updated_at: { read: "detail" },
} as const satisfies { [Name in keyof BeatsTable]?: Column };

type Columns = typeof beatColumns;
export type ColumnName = keyof Columns;
/** The names of the columns whose entries extend `Like`, such as `{ read: "list" }`. */
type Where<Like> = { [Name in ColumnName]: Columns[Name] extends Like ? Name : never }[ColumnName];
export type ImportedColumn = Where<{ imported: string }>;
/** The fields that an imported catalogue may lack. */
export type OptionalField = Extract<Columns[ColumnName], { field: string }>["field"];

type BeatRow = Selectable<BeatsTable>;

/** A beat with the fields that every response needs: its row, the producer's name, the list price and the genre. */
export type Beat = Pick<BeatRow, Where<{ read: "list" }>> & {
  producer_name: string;
  /** The price of the first license that the producer sells, in the order basic, premium, unlimited, exclusive. */
  list_price_cents: number;
  genre_name: string;
  genre_slug: string;
};

/** The value of `list_price_cents`, as SQL for rows of `beats`. */
export const listPriceSql =
  "list_price_cents(unsold_licenses, price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents)";

/** A beat with the fields that the response of a single beat needs. */
export type BeatDetail = Beat &
  Omit<Pick<BeatRow, Where<{ read: "detail" }>>, "exclusive_state" | "license_limits"> & {
    exclusive_state: "available" | "held" | "sold";
    license_limits: LicenseLimits;
  };

/** A beat of an imported catalogue. `source` and `external_id` identify it in the next import. */
export type ImportedBeat = Omit<Pick<BeatRow, ImportedColumn>, "source" | "external_id" | "created_at" | "tags"> & {
  source: string;
  external_id: string;
  producer_name: string;
  tags: readonly string[];
  /** Null when the catalogue has no date. */
  created_at: Date | null;
};

const columnsRead = (read: Column["read"]): readonly ColumnName[] =>
  (Object.keys(beatColumns) as ColumnName[]).filter((name) => (beatColumns[name] as Column).read === read);

/** The columns that are read with every beat. */
export const listColumns = columnsRead("list");
/** The columns that are read with the details of one beat: `listColumns` and more. */
export const detailColumns = [...listColumns, ...columnsRead("detail")];
/** The columns that an import writes, except `source` and `external_id`, which identify the beat in the next import. */
export const importedColumns = (Object.keys(beatColumns) as ColumnName[]).flatMap((name) => {
  const { imported, field }: Column = beatColumns[name];
  if (imported === undefined || name === "source" || name === "external_id") return [];
  return { name: name as ImportedColumn, kind: imported, field: field as OptionalField | undefined };
});
export const optionalFields: readonly OptionalField[] = [
  ...new Set(importedColumns.flatMap(({ field }) => field ?? [])),
];

/**
 * Normalizes tags for storage: Unicode NFC, single spaces, no empty or invisible tags. Keeps only the first of
 * the tags that filters and facets treat as equal (Lo-Fi, lofi and LO FI); C, C# and C++ are three tags. Pure.
 */
export function canonicalTags(texts: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const text of texts) {
    const tag = text.normalize("NFC").replace(/\s+/g, " ").trim();
    const key = `${foldWhole(tag)} ${tag.normalize("NFKC").replaceAll("♯", "#").replace(/[^+#]/g, "")}`;
    if (isVisible(tag) && !byKey.has(key)) byKey.set(key, tag);
  }
  return [...byKey.values()];
}
