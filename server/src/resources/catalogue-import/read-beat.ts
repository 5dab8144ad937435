import { type MusicalKey, parseKey } from "../beats/musical-key.ts";
import { derivedPriceCents, licencePrices } from "../beats/prices.ts";
import type { ImportedBeat } from "../beats/upsert.ts";
import { parseDate } from "./dates.ts";
import { parseDuration, parseDurationUnit } from "./durations.ts";
import { genreReader } from "./genre-names.ts";
import { readList } from "./lists.ts";
import { type MappedField, type Mapping, priceRule } from "./mapping.ts";
import { cleanText, nameKey } from "./names.ts";
import { parseCount, parseDecimal, parsePriceCents } from "./numbers.ts";
import type { MappedColumns, Row } from "./rows.ts";

/** What a row says of a beat. The ids of producer and genre are 0 until the database gives them. */
export interface ReadBeat extends ImportedBeat {
  /** By which the producer is known. */
  importName: string;
  genreName: string;
}

export interface BeatReader {
  /** The beat, or in a sentence why the row cannot be one. `number` counts the file's rows from 1. */
  read(row: Row, number: number): ReadBeat | string;
  /** What was read with something else in its place, counted: "created_at: no readable date" and the like. */
  repairs: ReadonlyMap<string, number>;
}

const limits = {
  ...{ title: 500, producer: 500, external_id: 200, source: 100, genre: 100, key: 50 },
  ...{ description: 10_000, url: 2_000, tag: 100, tags: 50 },
};
const maxTempo = 1000;
const earliestYear = 1900;
const dayMs = 24 * 3600 * 1000;
const missingGenre = "Other";
export const notUnicode =
  "the row is not valid UTF-8; if the file is in Windows-1252, import it with --encoding windows-1252";
/** Raw texts remembered with what they mean: data sets repeat their keys, dates and genres. */
const maxRemembered = 5000;

/** The columns that a mapping reads. */
export function mappedColumns({ source, fields, prices }: Mapping): MappedColumns {
  const required = [fields.title, fields.producer, fields.tempo].map(({ column }) => column);
  const more = [
    source.column,
    ...Object.values(fields).map(({ column }) => column),
    fields.key?.mode_column,
    fields.duration?.unit_column,
    prices?.column,
  ];
  return { all: [...new Set([...required, ...more.filter((column) => column !== undefined)])], required };
}

/** Makes the reader of a mapping's rows. `indexOf` gives a column's place; `nowMs` is the time of the import. */
export function beatReader(mapping: Mapping, indexOf: (column: string) => number, nowMs: number): BeatReader {
  const { fields } = mapping;
  const repairs = new Map<string, number>();
  const repaired = (what: string): void => {
    repairs.set(what, (repairs.get(what) ?? 0) + 1);
  };

  /** The text of a field's cell, or its default; "" when the row says nothing. */
  const cell = (field: Partial<MappedField> | undefined): ((row: Row) => string) => {
    if (field?.column === undefined) return () => field?.default ?? "";
    const index = indexOf(field.column);
    const nothing = new Set(field.null_words ?? mapping.null_words ?? []);
    const fallback = field.default ?? "";
    return ({ values }) => {
      const value = values[index] ?? "";
      return value === "" || value.trim() === "" || (nothing.size > 0 && nothing.has(value.trim())) ? fallback : value;
    };
  };
  const clean = (name: string, given: string): string => {
    const { text, hadControls } = cleanText(given);
    if (hadControls) repaired(`${name}: control characters`);
    return text;
  };
  /** Reads optional text with `parse`; what it cannot read or is too much becomes `otherwise` and is counted. */
  const optional = <T>(name: string, get: (row: Row) => string, parse: (text: string) => T | null, otherwise: T) => {
    const read = remembered((text: string) => ({ value: parse(text) }));
    return (row: Row): T => {
      const text = get(row);
      if (text === "") return otherwise;
      const { value } = read(text);
      if (value === null) repaired(`${name}: not readable`);
      return value ?? otherwise;
    };
  };

  const titleCell = cell(fields.title);
  const producerCell = cell(fields.producer);
  const tempoCell = cell(fields.tempo);
  const idCell = cell(fields.external_id);
  const sourceCell = cell({ ...mapping.source, default: mapping.source.name ?? "" });
  const producerOf = listPart(fields.producer.lists);
  const keyOf = keyReader(cell(fields.key), cell(columnOnly(fields.key?.mode_column)));
  const duration = durationReader(fields.duration);
  const popularity = optional("popularity", cell(fields.popularity), parsePopularity, 0);
  const playCount = optional("play_count", cell(fields.play_count), parseCount, 0);
  const downloadCount = optional("download_count", cell(fields.download_count), parseCount, 0);
  const audioUrl = optional<string | null>("audio_url", cell(fields.audio_url), parseUrl, null);
  const coverImage = optional<string | null>("cover_image", cell(fields.cover_image), parseUrl, null);
  const genreOf = genreReader(fields.genre ?? { column: "" });
  const genre = optional(
    "genre",
    cell(fields.genre),
    (text) => within(genreOf(text) || missingGenre, limits.genre),
    missingGenre,
  );
  const description = optional("description", cell(fields.description), (text) => within(text, limits.description), "");
  const split = fields.tags?.split ?? ",";
  const tags = optional<readonly string[]>("tags", cell(fields.tags), (text) => parseTags(text, split), []);
  const dayOrder = fields.created_at?.day_order ?? "day-first";
  const createdAt = optional<number | null>(
    "created_at",
    cell(fields.created_at),
    (text) => {
      const date = parseDate(text, dayOrder);
      // A day ahead is another time zone's today; more is a mistake, as is what was before recordings.
      return date === null || date > nowMs + dayMs || date < Date.UTC(earliestYear, 0) ? null : Math.min(date, nowMs);
    },
    null,
  );
  const rule = priceRule(mapping);
  const priceCell = cell({
    ...columnOnly(mapping.prices?.column),
    ...(mapping.prices?.null_words !== undefined && { null_words: mapping.prices.null_words }),
  });
  const price = optional<number | null>(
    "price",
    priceCell,
    (text) => parsePriceCents(text, mapping.prices?.unit ?? "units"),
    null,
  );

  function durationReader(field: Mapping["fields"]["duration"]): (row: Row) => number {
    const text = cell(field);
    const unitText = cell(columnOnly(field?.unit_column));
    return (row) => {
      const given = text(row);
      if (given === "") return 0;
      const word = unitText(row);
      const unit = word === "" ? (field?.unit ?? null) : parseDurationUnit(word);
      const seconds = unit === null ? null : parseDuration(given, unit);
      if (seconds === null) repaired("duration: not readable");
      return seconds ?? 0;
    };
  }

  function keyReader(text: (row: Row) => string, mode: (row: Row) => string): (row: Row) => MusicalKey {
    const parse = remembered((both: string) => {
      const [keyText = "", modeText = ""] = both.split("\0");
      return parseKey(keyText, modeText);
    });
    return (row) => {
      const given = text(row);
      if (given.length <= limits.key) return parse(`${clean("key", given)}\0${mode(row)}`);
      repaired("key: too long");
      return parse("");
    };
  }

  function read(row: Row, number: number): ReadBeat | string {
    const titleText = titleCell(row);
    const producerText = producerOf(producerCell(row));
    const idText = idCell(row);
    if (!titleText.isWellFormed() || !producerText.isWellFormed() || !idText.isWellFormed() || !isWellFormed(row))
      return notUnicode;
    const title = clean("title", titleText);
    if (title === "") return lacks("title", fields.title, given(row, fields.title));
    if (title.length > limits.title) return tooLong("title", fields.title, limits.title, title);
    const producer = clean("producer", producerText);
    if (producer === "") return lacks("producer", fields.producer, given(row, fields.producer));
    if (producer.length > limits.producer) return tooLong("producer", fields.producer, limits.producer, producer);
    const tempoText = tempoCell(row);
    if (tempoText === "") return lacks("tempo", fields.tempo, given(row, fields.tempo));
    const tempo = parseDecimal(tempoText);
    if (tempo === null) return `${named("tempo", fields.tempo)} is ${shown(tempoText)}, which is no number`;
    if (tempo <= 0 || tempo >= maxTempo)
      return `${named("tempo", fields.tempo)} is ${shown(tempoText)}; it must be above 0 and below ${maxTempo}`;
    const externalId = clean("external_id", idText) || `row ${number}`;
    if (externalId.length > limits.external_id)
      return tooLong("external_id", fields.external_id, limits.external_id, externalId);
    const source = clean("source", sourceCell(row));
    if (source === "") return `the row names no source (column ${mapping.source.column})`;
    if (source.length > limits.source) return tooLong("source", mapping.source, limits.source, source);

    const { key, keyCode } = keyOf(row);
    const durationSeconds = duration(row);
    const rated = popularity(row);
    const priceCents = price(row) ?? derivedPriceCents(rule, { popularity: rated, durationSeconds });
    const prices = licencePrices(rule, priceCents);
    if (prices === null) return `the price is ${priceCents} cents, from which licence prices become too high`;
    return {
      source,
      externalId,
      title,
      userId: 0,
      producerName: producer,
      importName: nameKey(producer),
      genreId: 0,
      genreName: genre(row),
      tempo,
      key,
      keyCode,
      durationSeconds,
      priceCents,
      premiumPriceCents: prices.premiumPriceCents,
      unlimitedPriceCents: prices.unlimitedPriceCents,
      exclusivePriceCents: prices.exclusivePriceCents,
      popularity: rated,
      playCount: playCount(row),
      downloadCount: downloadCount(row),
      audioUrl: audioUrl(row),
      coverImage: coverImage(row),
      description: description(row),
      tags: tags(row),
      createdAtMs: createdAt(row),
    };
  }

  const given = ({ values }: Row, { column }: MappedField): string => values[indexOf(column)] ?? "";
  const indexes = mappedColumns(mapping).all.map(indexOf);
  const isWellFormed = ({ values }: Row): boolean => indexes.every((index) => values[index]?.isWellFormed() ?? true);
  return { read, repairs };
}

const columnOnly = (column: string | undefined): Partial<MappedField> => (column === undefined ? {} : { column });

/** A producer written as a list of names: the first of them, or all in one. */
function listPart(lists: "first" | "join" | undefined): (text: string) => string {
  if (lists === undefined) return (text) => text;
  return (text) => {
    const parts = text.startsWith("[") ? readList(text) : null;
    if (parts === null) return text;
    const names = parts.map((part) => part.trim()).filter((part) => part !== "");
    return lists === "first" ? (names[0] ?? "") : names.join(", ");
  };
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

function parseTags(text: string, split: string): string[] | null {
  const tags = new Set((readList(text) ?? text.split(split)).map((tag) => cleanText(tag).text));
  tags.delete("");
  return tags.size <= limits.tags && [...tags].every((tag) => tag.length <= limits.tag) ? [...tags] : null;
}

function within(given: string, length: number): string | null {
  const { text } = cleanText(given);
  return text.length <= length ? text : null;
}

/** Remembers the answers to the latest questions. */
function remembered<T>(answer: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const found = answer(text);
    if (answers.size >= maxRemembered) answers.clear();
    answers.set(detached(text), found);
    return found;
  };
}

/** The same text, but no part of a larger one that it would keep in memory. */
export const detached = (text: string): string => `${text} `.slice(0, -1);

const named = (name: string, field: { column?: string | undefined } | undefined): string =>
  `the ${name} (column ${field?.column})`;

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

function lacks(name: string, field: MappedField, given: string): string {
  return given.trim() === ""
    ? `${named(name, field)} is empty`
    : `${named(name, field)} is ${shown(given)}, which stands for nothing`;
}

const tooLong = (
  name: string,
  field: { column?: string | undefined } | undefined,
  limit: number,
  text: string,
): string => `${named(name, field)} has ${text.length} characters; ${limit} are the most`;
