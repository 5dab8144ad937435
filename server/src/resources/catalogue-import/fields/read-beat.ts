import { type MusicalKey, parseKey } from "../../../music/musical-key.ts";
import type { ImportedBeat } from "../../beats/beat.ts";
import { derivedPriceCents, licensePrices } from "../../beats/licensing/prices.ts";
import { Cells } from "../formats/cells.ts";
import type { Row } from "../formats/row.ts";
import { type Mapping, mappedColumns, priceRule } from "../mapping.ts";
import type { MappedField } from "./mapped-field.ts";
import { parseDuration, parseDurationUnit } from "./parsers/duration-field.ts";
import { genreReader } from "./parsers/genre-field.ts";
import { readList } from "./parsers/list-field.ts";
import { nameKey } from "./parsers/name-field.ts";
import { parseDecimal, parsePriceCents } from "./parsers/number-field.ts";
import { type PlainColumn, type PlainField, plainFields } from "./plain-fields.ts";
import { remembered } from "./remembered.ts";

/** A beat as a row describes it. The ids of producer and genre are 0 until Vocabulary sets them. */
export interface ReadBeat extends ImportedBeat {
  /** Identifies the producer. */
  import_name: string;
  genre_name: string;
}

export interface BeatRowParser {
  /** The beat, or a sentence that says why the row cannot be one. `number` counts the file's rows from 1. */
  parse(row: Row, number: number): ReadBeat | string;
  /** How often a value was replaced, by what was wrong with it. */
  repairs: ReadonlyMap<string, number>;
}

/** In UTF-16 units. */
const limits = { title: 500, producer: 500, external_id: 200, source: 100, genre: 100, key: 50 };
const maxTempo = 1000;
const missingGenre = "Other";

/** Makes the parser of a mapping's rows. `indexOf` gives a column's place; `nowMs` is the time of the import. */
export function beatRowParser(mapping: Mapping, indexOf: (column: string) => number, nowMs: number): BeatRowParser {
  const { fields } = mapping;
  const cells = new Cells(mapping, indexOf);
  const indexes = mappedColumns(mapping).all.map(indexOf);

  const titleOf = cells.clean("title", fields.title);
  const producerOf = producerReader(cells, fields.producer);
  const tempoText = cells.text(fields.tempo);
  const idOf = cells.clean("external_id", fields.external_id);
  const sourceOf = cells.clean("source", { ...mapping.source, default: mapping.source.name ?? "" });
  const keyOf = keyReader(cells, fields.key);
  const durationOf = durationReader(cells, fields.duration);
  const genreOf = cells.optional("genre", fields.genre, remembered(genreParser(fields.genre)), missingGenre);
  const plainOf = plainReader(cells, mapping, nowMs);
  const rule = priceRule(mapping);
  const priceOf = cells.optional("price", priceField(mapping), priceParser(mapping), null);

  function parse(row: Row, number: number): ReadBeat | string {
    const { values } = row;
    const given = ({ column }: MappedField): string => values[indexOf(column)] ?? "";
    if (!indexes.every((index) => values[index]?.isWellFormed() ?? true))
      return "the row is not valid UTF-8; if the file is in Windows-1252, import it with --encoding windows-1252";
    const title = titleOf(row);
    if (title === "") return lacks("title", fields.title, given(fields.title));
    if (title.length > limits.title) return tooLong("title", fields.title, limits.title, title);
    const producerName = producerOf(row);
    if (producerName === "") return lacks("producer", fields.producer, given(fields.producer));
    if (producerName.length > limits.producer)
      return tooLong("producer", fields.producer, limits.producer, producerName);
    const tempo = parseDecimal(tempoText(row));
    if (tempo === null) return noTempo(fields.tempo, tempoText(row), given(fields.tempo));
    if (tempo <= 0 || tempo >= maxTempo)
      return `${named("tempo", fields.tempo)} is ${shown(given(fields.tempo))}; it must be above 0 and below ${maxTempo}`;
    const externalId = idOf(row) || `row ${number}`;
    if (externalId.length > limits.external_id)
      return tooLong("external_id", fields.external_id, limits.external_id, externalId);
    const source = sourceOf(row);
    if (source === "") return `the source (column ${mapping.source.column}) is empty`;
    if (source.length > limits.source) return tooLong("source", mapping.source, limits.source, source);

    const { key, keyCode } = keyOf(row);
    const durationSeconds = durationOf(row);
    const plain = plainOf(row);
    const priceCents = priceOf(row) ?? derivedPriceCents(rule, { popularity: plain.popularity, durationSeconds });
    const prices = licensePrices(rule, priceCents);
    if (prices === null) return `the price is ${priceCents} cents, which is too much for the licenses derived from it`;
    return {
      source,
      external_id: externalId,
      user_id: 0,
      producer_name: producerName,
      import_name: nameKey(producerName),
      genre_id: 0,
      genre_name: genreOf(row),
      title,
      tempo,
      key,
      key_code: keyCode,
      duration_seconds: durationSeconds,
      ...prices,
      ...plain,
    };
  }

  return { parse, repairs: cells.repairs };
}

type PlainValues = Pick<ImportedBeat, PlainColumn>;

function plainReader(cells: Cells, { fields }: Mapping, nowMs: number): (row: Row) => PlainValues {
  const readers = (Object.keys(plainFields) as PlainColumn[]).map((name) => {
    const { parser, otherwise } = plainFields[name];
    const parse = (parser as PlainField<unknown>["parser"])(fields[name] as never, nowMs);
    return { name, read: cells.optional<unknown>(name, fields[name], parse, otherwise) };
  });
  return (row) => {
    const values: Record<string, unknown> = {};
    for (const { name, read } of readers) values[name] = read(row);
    return values as PlainValues;
  };
}

/** Reads a producer, which may be a list of names: the first name, or all of them joined. */
function producerReader(cells: Cells, field: Mapping["fields"]["producer"]): (row: Row) => string {
  const text = cells.text(field);
  return (row) => {
    const given = text(row);
    const names = field.lists !== undefined && given.startsWith("[") ? readList(given) : null;
    if (names === null) return cells.tidy("producer", given);
    const filled = names.map((name) => cells.tidy("producer", name)).filter((name) => name !== "");
    return field.lists === "first" ? (filled[0] ?? "") : filled.join(", ");
  };
}

function keyReader(cells: Cells, field: Mapping["fields"]["key"]): (row: Row) => MusicalKey {
  const text = cells.clean("key", field);
  const mode = cells.text(columnOnly(field?.mode_column));
  const parse = remembered((both: string) => {
    const [keyText = "", modeText = ""] = both.split("\0");
    return parseKey(keyText, modeText);
  });
  return (row) => {
    const given = text(row);
    if (given.length <= limits.key) return parse(`${given}\0${mode(row)}`);
    cells.repaired("key: not readable");
    return parse("");
  };
}

function durationReader(cells: Cells, field: Mapping["fields"]["duration"]): (row: Row) => number {
  const text = cells.text(field);
  const unitText = cells.text(columnOnly(field?.unit_column));
  return (row) => {
    const given = text(row);
    if (given === "") return 0;
    const word = unitText(row);
    const unit = word === "" ? (field?.unit ?? null) : parseDurationUnit(word);
    const seconds = unit === null ? null : parseDuration(given, unit);
    if (seconds === null) cells.repaired("duration: not readable");
    return seconds ?? 0;
  };
}

function genreParser(field: Mapping["fields"]["genre"]): (text: string) => string | null {
  const name = genreReader(field ?? { column: "" });
  return (text) => within(name(text) || missingGenre, limits.genre);
}

function priceField({ prices }: Mapping): Partial<MappedField> {
  return { ...columnOnly(prices?.column), ...(prices?.null_words !== undefined && { null_words: prices.null_words }) };
}

function priceParser({ prices }: Mapping): (text: string) => number | null {
  const unit = prices?.unit ?? "units";
  return (text) => parsePriceCents(text, unit);
}

const within = (text: string, limit: number): string | null => (text.length <= limit ? text : null);

const columnOnly = (column: string | undefined): Partial<MappedField> => (column === undefined ? {} : { column });

type Named = { column?: string | undefined } | undefined;

const named = (name: string, field: Named): string => `the ${name} (column ${field?.column})`;

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

const lacks = (name: string, field: Named, given: string): string =>
  given.trim() === ""
    ? `${named(name, field)} is empty`
    : `${named(name, field)} is ${shown(given)}, which stands for nothing`;

const noTempo = (field: Named, text: string, given: string): string =>
  text === "" ? lacks("tempo", field, given) : `${named("tempo", field)} is ${shown(given)}, which is not a number`;

const tooLong = (name: string, field: Named, limit: number, text: string): string =>
  `${named(name, field)} has ${text.length} characters; ${limit} are the most`;
