import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { type MusicalKey, parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import { parseCount, parseDecimal, plainCents, readCents } from "@beatmarket/foundation/text/read-number.ts";
import { cleanText, nameKey } from "@beatmarket/tabular-files/cells/clean-text.ts";
import { parseDuration, parseDurationUnit } from "@beatmarket/tabular-files/cells/duration.ts";
import { readList } from "@beatmarket/tabular-files/cells/list.ts";
import { remembered } from "@beatmarket/tabular-files/cells/remembered.ts";
import type { Row } from "@beatmarket/tabular-files/row.ts";
import type { Encoding } from "@beatmarket/tabular-files/text-chunks.ts";
import type { ImportedBeat } from "../../beats/beat.ts";
import { derivedPriceCents, licensePrices } from "../../beats/licensing/licenses.ts";
import { Cells } from "../cells.ts";
import { type Mapping, mappedColumns, priceRule } from "../mapping.ts";
import { genreReader } from "./genre-field.ts";
import type { MappedField, Repair } from "./mapped-field.ts";
import { type PlainColumn, type PlainField, plainFields } from "./plain-fields.ts";

/** Two bytes of hiragana or katakana in Shift-JIS, as a decoder of UTF-8 represents them. */
const shiftJisKana = /\udc82[\udc9f-\udcf1]|\udc83([\udc80-\udc96@-~])/g;

/** The reason for the rejection of a row with bytes that its encoding does not have, and the remedy. */
function encodingRejection(
  values: readonly string[],
  encoding: Encoding = "utf-8",
): { problem: string; reason: string } {
  if (encoding !== "utf-8")
    return {
      problem: `row: not ${encoding}`,
      reason: `the row has bytes that ${encoding} does not have; import the file with --encoding and the encoding that it was saved in`,
    };
  const kana = values.join("").match(shiftJisKana)?.length ?? 0;
  const remedy =
    kana > 1
      ? "it looks like Shift-JIS: if it is, import the file with --encoding shift_jis"
      : "import the file with --encoding and the encoding that it was saved in, such as windows-1252 (western Europe), windows-1251 (Cyrillic), shift_jis (Japan) or gb18030 (China)";
  return { problem: "row: not UTF-8", reason: `the row is not valid UTF-8; ${remedy}` };
}

/** The beat that a row describes. The ids of producer and genre are 0 until `Vocabulary` sets them. */
export interface ReadBeat extends ImportedBeat {
  /** The normalized name, which identifies the producer. */
  import_name: string;
  genre_name: string;
}

/** The reason why a row cannot be a beat. */
export interface Rejection {
  /** The kind of mistake, one of a few texts by which rejections are counted. */
  problem: string;
  /** A sentence, which may contain the value. */
  reason: string;
}

export interface BeatRowParser {
  /** The beat, or the reason why the row cannot be one. `number` counts the file's rows from 1. */
  parse(row: Row, number: number): ReadBeat | Rejection;
  /** The repairs in the last parsed row. */
  repairs(): readonly Repair[];
}

export const isRejection = (parsed: ReadBeat | Rejection): parsed is Rejection => "reason" in parsed;

/** In UTF-16 units. */
const limits = { title: 500, producer: 500, external_id: 200, source: 100, genre: 100, key: 50 };
const maxTempo = 1000;
const tempoRange = `above 0 and below ${maxTempo}`;
const missingGenre = "Other";

/**
 * Creates the parser for rows of a mapping. `indexOf` returns the position of a column; `nowMs` is the time of the
 * import. Throws an OperatorError for a value of the mapping that no beat can have.
 */
export function beatRowParser(mapping: Mapping, indexOf: (column: string) => number, nowMs: number): BeatRowParser {
  const { fields } = mapping;
  requirePossibleValues(mapping);
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
  const priceText = cells.text(priceField(mapping));
  const priceOf = priceReader(mapping);

  function parse(row: Row, number: number): ReadBeat | Rejection {
    const { values } = row;
    if (cells.repairs.length > 0) cells.repairs = [];
    const cellOf = ({ column }: MappedField): string => (column === undefined ? "" : (values[indexOf(column)] ?? ""));
    if (!indexes.every((index) => values[index]?.isWellFormed() ?? true))
      return encodingRejection(
        indexes.map((index) => values[index] ?? ""),
        mapping.encoding,
      );
    const title = titleOf(row);
    if (title === "") return missing("title", fields.title, cellOf(fields.title));
    if (title.length > limits.title) return tooLong("title", fields.title, limits.title, title);
    const producerName = producerOf(row);
    if (producerName === "") return missing("producer", fields.producer, cellOf(fields.producer));
    if (producerName.length > limits.producer)
      return tooLong("producer", fields.producer, limits.producer, producerName);
    const tempo = parseDecimal(tempoText(row));
    if (tempo === null) return noTempo(fields.tempo, tempoText(row), cellOf(fields.tempo));
    if (tempo <= 0 || tempo >= maxTempo)
      return rejection(
        "tempo",
        fields.tempo,
        "out of range",
        `is ${printable(cellOf(fields.tempo))}; it must be ${tempoRange}`,
      );
    const externalId = idOf(row) || `row ${number}`;
    if (externalId.length > limits.external_id)
      return tooLong("external_id", fields.external_id, limits.external_id, externalId);
    const source = sourceOf(row);
    if (source === "") return rejection("source", mapping.source, "empty", "is empty");
    if (source.length > limits.source) return tooLong("source", mapping.source, limits.source, source);

    const { key, keyCode } = keyOf(row);
    const durationSeconds = durationOf(row);
    const plainFields = plainOf(row);
    const dateRepair = cells.repairs.find(({ field, problem }) => field === "created_at" && problem === "not readable");
    if (dateRepair !== undefined) return noDate(fields.created_at, dateRepair.given);
    const givenPrice = priceText(row);
    const price = givenPrice === "" ? null : priceOf(givenPrice);
    if (typeof price === "string")
      return rejection("price", mapping.prices, "not readable", `is ${printable(givenPrice)}, ${price}`);
    const priceCents = price ?? derivedPriceCents(rule, { popularity: plainFields.popularity, durationSeconds });
    if (priceCents === 0)
      return {
        problem: "price: free",
        reason:
          "the price is 0, and the prices of the other licenses are derived from it: the exclusive one would be free, too. Give the beat a price, or publish it separately with license_prices",
      };
    const prices = licensePrices(rule, priceCents);
    if (prices === null)
      return {
        problem: "price: too much",
        reason: `the price is ${priceCents} cents, which is too much for the licenses derived from it`,
      };
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
      ...plainFields,
    };
  }

  return { parse, repairs: () => cells.repairs };
}

type PlainValues = Pick<ImportedBeat, PlainColumn>;

function plainReader(cells: Cells, { fields }: Mapping, nowMs: number): (row: Row) => PlainValues {
  const readers = (Object.keys(plainFields) as PlainColumn[]).map((name) => {
    const { parser, fallback } = plainFields[name];
    const parse = (parser as PlainField<unknown>["parser"])(fields[name] as never, nowMs);
    return { name, read: cells.optional<unknown>(name, fields[name], parse, fallback) };
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
    const original = text(row);
    const names = field.lists !== undefined && original.startsWith("[") ? readList(original) : null;
    if (names === null) return cells.tidy("producer", original);
    const nonEmptyNames = names.map((name) => cells.tidy("producer", name)).filter((name) => name !== "");
    return field.lists === "first" ? (nonEmptyNames[0] ?? "") : nonEmptyNames.join(", ");
  };
}

function keyReader(cells: Cells, field: Mapping["fields"]["key"]): (row: Row) => MusicalKey {
  const text = cells.clean("key", field);
  const mode = cells.text(columnOnly(field?.mode_column));
  const parse = remembered((keyAndMode: string) => {
    const [keyText = "", modeText = ""] = keyAndMode.split("\0");
    return parseKey(keyText, modeText);
  });
  return (row) => {
    const original = text(row);
    if (original.length <= limits.key) return parse(`${original}\0${mode(row)}`);
    cells.repaired("key", "not readable", original, "");
    return parse("");
  };
}

function durationReader(cells: Cells, field: Mapping["fields"]["duration"]): (row: Row) => number {
  const text = cells.text(field);
  const unitText = cells.text(columnOnly(field?.unit_column));
  return (row) => {
    const original = text(row);
    if (original === "") return 0;
    const word = unitText(row);
    const unit = word === "" ? (field?.unit ?? null) : parseDurationUnit(word);
    const seconds = unit === null ? null : parseDuration(original, unit);
    if (seconds === null) cells.repaired("duration", "not readable", original, 0);
    return seconds ?? 0;
  };
}

function genreParser(field: Mapping["fields"]["genre"]): (text: string) => string | null {
  const name = genreReader(field ?? {});
  return (text) => within(name(text) || missingGenre, limits.genre);
}

function priceField({ prices }: Mapping): Partial<MappedField> {
  return { ...columnOnly(prices?.column), ...(prices?.null_words !== undefined && { null_words: prices.null_words }) };
}

/** Returns a function that reads a price as cents. For a text that is not a price, it returns the reason and remedy. */
function priceReader({ prices }: Mapping): (text: string) => number | string {
  if (prices?.unit === "cents")
    return (text) => parseCount(text) ?? `which is not a whole number of cents, 0 or more; ${orNoPrice}`;
  const mark = prices?.decimal_mark;
  const read = remembered((text) => {
    const cents = readCents(text, mark);
    if (typeof cents === "number") return cents;
    if (cents === "negative") return "which is below 0";
    if (cents === "unclear")
      return 'which may be thousands or decimals; say which in the mapping, with "decimal_mark": "." or "," in its prices';
    return `which is not an amount such as 29.90${mark === undefined ? "" : ` with the decimal mark "${mark}"`}; ${orNoPrice}`;
  });
  // A look-up takes longer than reading a plain amount.
  return mark === "," ? read : (text) => plainCents(text) ?? read(text);
}

const orNoPrice = "correct it, or name it in null_words of the mapping's prices if it stands for no price";

const within = (text: string, limit: number): string | null => (text.length <= limit ? text : null);

const columnOnly = (column: string | undefined): Partial<MappedField> => (column === undefined ? {} : { column });

type Named = { column?: string | undefined } | undefined;

const printable = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

const rejection = (name: string, field: Named, problem: string, sentence: string): Rejection => ({
  problem: `${name}: ${problem}`,
  reason: `the ${name} (column ${field?.column}) ${sentence}`,
});

const missing = (name: string, field: Named, original: string): Rejection =>
  rejection(
    name,
    field,
    "empty",
    original.trim() === "" ? "is empty" : `is ${printable(original)}, which stands for nothing`,
  );

const noTempo = (field: Named, text: string, original: string): Rejection =>
  text === ""
    ? missing("tempo", field, original)
    : rejection("tempo", field, "not a number", `is ${printable(original)}, which is not a number`);

/** Rejects an unreadable date. The time of the import cannot replace it: an old beat would become the newest. */
const noDate = (field: Named, original: string): Rejection =>
  rejection(
    "created_at",
    field,
    "not readable",
    `is ${printable(original)}, which is not a date from 1900 until now; correct it, or name it in null_words of the field if it means "no date"`,
  );
const tooLong = (name: string, field: Named, limit: number, text: string): Rejection =>
  rejection(name, field, "too long", `has ${text.length} characters; ${limit} are the most`);

/** Throws an OperatorError for values of the mapping with which every row would be rejected or repaired. */
function requirePossibleValues({ fields: { title, producer, tempo, key, duration } }: Mapping): void {
  const require = (name: string, value: string | undefined, isPossible: (text: string) => boolean, rule: string) => {
    if (value === undefined || isPossible(value)) return;
    throw new OperatorError(`The mapping's fields.${name} has the value ${printable(value)}; it takes ${rule}.`);
  };
  const isText = (limit: number) => (text: string) => {
    const { length } = cleanText(text).text;
    return length > 0 && length <= limit;
  };
  const isTempo = (text: string) => {
    const value = parseDecimal(text) ?? 0;
    return value > 0 && value < maxTempo;
  };
  const isDuration = (text: string) => duration?.unit === undefined || parseDuration(text, duration.unit) !== null;
  require("title", title.value, isText(limits.title), `a visible text of at most ${limits.title} characters`);
  require("producer", producer.value, isText(
    limits.producer,
  ), `a visible text of at most ${limits.producer} characters`);
  require("tempo", tempo.value, isTempo, `a number ${tempoRange}`);
  require("key", key?.value, isText(limits.key), `a key such as "C# minor"`);
  require("duration", duration?.value, isDuration, `a duration in its unit, ${duration?.unit}`);
}
