import { derivedPriceCents, licencePrices } from "../../beats/licensing/prices.ts";
import { type MusicalKey, parseKey } from "../../beats/musical-key.ts";
import type { ImportedBeat } from "../../beats/upsert.ts";
import { Cells, remembered } from "../formats/cells.ts";
import type { Row } from "../formats/row.ts";
import { type MappedField, type Mapping, mappedColumns, priceRule } from "../mapping.ts";
import { parseDate } from "./date-field.ts";
import { parseDuration, parseDurationUnit } from "./duration-field.ts";
import { genreReader } from "./genre-field.ts";
import { readList } from "./list-field.ts";
import { cleanText, nameKey } from "./name-field.ts";
import { parseCount, parseDecimal, parsePriceCents } from "./number-field.ts";

/** What a row says of a beat. The ids of producer and genre are 0 until the database gives them. */
export interface ReadBeat extends ImportedBeat {
  /** By which the producer is known. */
  importName: string;
  genreName: string;
}

export interface BeatReader {
  /** The beat, or in a sentence why the row cannot be one. `number` counts the file's rows from 1. */
  read(row: Row, number: number): ReadBeat | string;
  /** What was read with something else in its place, by how often. */
  repairs: ReadonlyMap<string, number>;
}

/** In UTF-16 units, except `tags`, which is how many. */
const limits = {
  ...{ title: 500, producer: 500, external_id: 200, source: 100, genre: 100, key: 50 },
  ...{ description: 10_000, url: 2_000, tag: 100, tags: 50 },
};
const maxTempo = 1000;
const earliestMs = Date.UTC(1900, 0);
const dayMs = 24 * 3600 * 1000;
const missingGenre = "Other";

/** Makes the reader of a mapping's rows. `indexOf` gives a column's place; `nowMs` is the time of the import. */
export function beatReader(mapping: Mapping, indexOf: (column: string) => number, nowMs: number): BeatReader {
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
  const popularityOf = cells.optional("popularity", fields.popularity, parsePopularity, 0);
  const playCountOf = cells.optional("play_count", fields.play_count, parseCount, 0);
  const downloadCountOf = cells.optional("download_count", fields.download_count, parseCount, 0);
  const audioUrlOf = cells.optional<string | null>("audio_url", fields.audio_url, parseUrl, null);
  const coverImageOf = cells.optional<string | null>("cover_image", fields.cover_image, parseUrl, null);
  const genreOf = cells.optional("genre", fields.genre, remembered(genreParser(fields.genre)), missingGenre);
  const descriptionOf = cells.optional("description", fields.description, shortened(limits.description), "");
  const tagsOf = cells.optional<readonly string[]>("tags", fields.tags, tagsParser(fields.tags), []);
  const createdAtOf = cells.optional("created_at", fields.created_at, dateParser(fields.created_at, nowMs), null);
  const rule = priceRule(mapping);
  const priceOf = cells.optional("price", priceField(mapping), priceParser(mapping), null);

  function read(row: Row, number: number): ReadBeat | string {
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
    const popularity = popularityOf(row);
    const priceCents = priceOf(row) ?? derivedPriceCents(rule, { popularity, durationSeconds });
    const prices = licencePrices(rule, priceCents);
    if (prices === null) return `the price is ${priceCents} cents, which is too much for the licences derived from it`;
    return {
      source,
      externalId,
      userId: 0,
      producerName,
      importName: nameKey(producerName),
      genreId: 0,
      genreName: genreOf(row),
      title,
      tempo,
      key,
      keyCode,
      durationSeconds,
      priceCents,
      premiumPriceCents: prices.premiumPriceCents,
      unlimitedPriceCents: prices.unlimitedPriceCents,
      exclusivePriceCents: prices.exclusivePriceCents,
      popularity,
      playCount: playCountOf(row),
      downloadCount: downloadCountOf(row),
      audioUrl: audioUrlOf(row),
      coverImage: coverImageOf(row),
      description: descriptionOf(row),
      tags: tagsOf(row),
      createdAtMs: createdAtOf(row),
    };
  }

  return { read, repairs: cells.repairs };
}

/** A producer may be written as a list of names: the first of them counts, or all in one. */
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

function dateParser(field: Mapping["fields"]["created_at"], nowMs: number): (text: string) => number | null {
  const order = field?.day_order ?? "day-first";
  const parse = remembered((text) => parseDate(text, order) ?? Number.NaN);
  return (text) => {
    const date = parse(text);
    // A day ahead is another time zone's today; more is a mistake, as is what was before recordings.
    return date >= earliestMs && date <= nowMs + dayMs ? Math.min(date, nowMs) : null;
  };
}

function priceField({ prices }: Mapping): Partial<MappedField> {
  return { ...columnOnly(prices?.column), ...(prices?.null_words !== undefined && { null_words: prices.null_words }) };
}

function priceParser({ prices }: Mapping): (text: string) => number | null {
  const unit = prices?.unit ?? "units";
  return (text) => parsePriceCents(text, unit);
}

function parsePopularity(text: string): number | null {
  const value = parseDecimal(text);
  return value === null || value < 0 || value > 100 ? null : Math.round(value);
}

function parseUrl(text: string): string | null {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return within(url.href, limits.url);
}

function tagsParser(field: Mapping["fields"]["tags"]): (text: string) => readonly string[] | null {
  const split = field?.split ?? ",";
  return remembered((text) => {
    const tags = new Set((readList(text) ?? text.split(split)).map((tag) => cleanText(tag).text));
    tags.delete("");
    const isFit = tags.size <= limits.tags && [...tags].every((tag) => tag.length <= limits.tag);
    return isFit ? [...tags] : null;
  });
}

const shortened =
  (limit: number) =>
  (text: string): string | null =>
    within(cleanText(text).text, limit);

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
