import fc from "fast-check";
import type { JsonSchema } from "../../harness/documents/promised-responses.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { invalid, mixedParts, type Part, unclear, valid } from "./parts.ts";

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);
const notIntegers = hostileTexts.filter((text) => !isInteger(text));
const bigIntegers = ["2147483648", "9007199254740993", "9223372036854775808", `-${"9".repeat(40)}`, "9".repeat(400)];

function integerTexts({ minimum, maximum }: JsonSchema): fc.Arbitrary<Part<string>> {
  if (minimum === undefined || maximum === undefined)
    // Any integer is a valid id.
    return mixedParts(
      fc.integer({ min: 1, max: 120 }).map((id) => valid(String(id))),
      fc.constantFrom("0", "-1", "-0", "007", ...bigIntegers).map(valid),
      fc.constantFrom(...notIntegers).map(invalid),
    );
  return mixedParts(
    fc.integer({ min: minimum, max: Math.min(maximum, 200) }).map((number) => valid(String(number))),
    fc.constantFrom(minimum, maximum, Math.trunc(maximum / 2)).map((number) => valid(String(number))),
    fc.oneof(
      fc.constantFrom(String(minimum - 1), String(maximum + 1), ...bigIntegers).map(invalid),
      fc.constantFrom(...notIntegers).map(invalid),
    ),
  );
}

/** The service may refuse texts that the document allows: NUL, blanks, a forged `after`. */
export function texts({ minLength = 0, maxLength = 300 }: JsonSchema): fc.Arbitrary<Part<string>> {
  const words = fc
    .array(fc.constantFrom("dark", "trap", "140", "né", "ビート", "c#", "o'brien"), { minLength: 1, maxLength: 4 })
    .map((list) => list.join(" "));
  const isShort = (text: string) => [...text].length <= maxLength;
  return mixedParts(
    words.map((text) => valid([...text].slice(0, maxLength).join("").trim() || "x".repeat(minLength))),
    fc.oneof(
      fc.constantFrom(minLength, maxLength).map((length) => unclear("x".repeat(length))),
      fc.string({ unit: "grapheme", maxLength: Math.min(maxLength, 60) }).map(unclear),
      fc.constantFrom(...hostileTexts.filter(isShort)).map(unclear),
    ),
    fc.constant(invalid("x".repeat(maxLength + 1))),
  );
}

/** Generates the values of a parameter, as the text in a URL. */
export function parameterTexts(name: string, schema: JsonSchema): fc.Arbitrary<Part<string>> {
  if (schema.enum !== undefined)
    return mixedParts(
      fc.constantFrom(...schema.enum).map(valid),
      fc.constantFrom(...schema.enum).map((text) => invalid(text.toUpperCase())),
      fc.constantFrom(...hostileTexts).map(invalid),
    );
  // Only the service can create valid values.
  if (name === "after") return afterTexts(schema).map(({ value }) => unclear(value));
  // The response takes as long as the value of `wait`.
  if (name === "wait")
    return integerTexts({ ...schema, minimum: 0, maximum: 0 }).map((part) =>
      part.validity === "invalid" && part.value === "1" ? invalid("31") : part,
    );
  if (schema.type === "integer") return integerTexts(schema);
  if (schema.type === "number") return numberTexts(schema);
  if (schema.type === "boolean") return parameterTexts(name, { enum: ["true", "false"] });
  if (schema.type === "array") return listTexts(name, schema);
  if (schema.format === "date-time" || schema.format === "date-or-time") return timeTexts();
  if (name === "key" || name === "key_compatible") return keyTexts(schema);
  if (schema.format === "uuid")
    return mixedParts(
      fc.uuid().map(valid),
      fc.constantFrom(...hostileTexts).map(invalid),
      fc.constant(invalid("dark")),
    );
  const { pattern } = schema;
  if (pattern === undefined) return texts(schema);
  const judgedTexts = texts(schema).map((part) => (new RegExp(pattern).test(part.value) ? part : unclear(part.value)));
  if (!pattern.startsWith("^")) return judgedTexts;
  const { maxLength = Number.POSITIVE_INFINITY } = schema;
  const matching = fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
  return fc.oneof(
    judgedTexts,
    matching.map((text) => (namesOneTwice(text) ? unclear(text) : valid(text))),
  );
}

/** Whether a list has a name twice, which the service refuses. No pattern can express it. */
function namesOneTwice(list: string): boolean {
  const names = list.split(",").map((name) => name.trim());
  return new Set(names).size < names.length;
}

const numberTexts = ({ minimum = 0, maximum = 0 }: JsonSchema): fc.Arbitrary<Part<string>> =>
  mixedParts(
    fc.integer({ min: minimum * 100, max: Math.min(maximum, 50) * 100 }).map((cents) => valid(String(cents / 100))),
    fc.constantFrom(String(minimum), String(maximum), "7.50").map(valid),
    fc.constantFrom(String(minimum - 1), String(maximum + 1), "1e3", "", "Infinity", "0x10").map(invalid),
  );

/**
 * Lists separated by commas. A text with characters other than letters and spaces may contain a comma, and so be
 * several values.
 */
function listTexts(name: string, { items = {}, maxItems = 9 }: JsonSchema): fc.Arbitrary<Part<string>> {
  const itemTexts = parameterTexts(name, items).map((part) =>
    items.enum !== undefined || items.type === "integer" || /^[\p{L} ]*$/u.test(part.value)
      ? part
      : unclear(part.value),
  );
  // No schema can express the allowed names.
  if (name === "fields") return itemTexts.map(({ value }) => unclear(value));
  // Without commas, and without other notations of one number such as 007: a list with duplicates is refused.
  const isGood = ({ value, validity }: Part<string>) => validity === "valid" && /^[^0][^,]{0,8}$/.test(value);
  return fc.oneof(
    { weight: 4, arbitrary: itemTexts },
    {
      weight: 2,
      arbitrary: fc
        .uniqueArray(itemTexts.filter(isGood), {
          minLength: 2,
          maxLength: Math.min(3, maxItems),
          selector: ({ value }) => value,
        })
        .map((parts) => valid(parts.map(({ value }) => value).join(","))),
    },
    { weight: 1, arbitrary: fc.constantFrom(",", "1,,2", "dark,dark").map(invalid) },
  );
}

const timeTexts = (): fc.Arbitrary<Part<string>> =>
  mixedParts(
    fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") })
      .map((moment) => valid(moment.toISOString())),
    fc.constantFrom("2026-11-20", "2026-11-20T12:00:00+02:00", "0000-01-01T00:00:00Z").map(unclear),
    fc.constantFrom("yesterday", "2026-02-30T00:00:00Z", "2026-11-20T25:00:00Z", "1").map(invalid),
  );

const keyTexts = (schema: JsonSchema): fc.Arbitrary<Part<string>> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("Am", "C major", "8B", "Gb minor").map(valid) },
    { weight: 1, arbitrary: texts(schema).map(({ value }) => unclear(value)) },
  );

const afterTexts = (schema: JsonSchema): fc.Arbitrary<Part<string>> =>
  schema.type === "integer"
    ? integerTexts(schema)
    : fc.oneof(texts(schema), fc.base64String({ maxLength: 60 }).map(unclear));
