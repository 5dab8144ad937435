import fc from "fast-check";
import { apiDocument, type JsonSchema } from "../../harness/documents/promised-responses.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { texts } from "./parameter-texts.ts";
import { invalid, type KnownIds, mixedParts, type Part, together, unclear, valid } from "./parts.ts";

const webAddresses = [
  "https://example.com",
  "http://a.example:8080/b?c=d&e[]=%20#f",
  "https://user:password@[::1]:1/",
  "https://xn--bcher-kva.example/~a;b=c",
];

/** Values that no field of the document accepts, except `true` for a boolean field. */
const invalidValues: unknown[] = [true, -1e308, [[]], { toString: 1 }, { $ne: "" }];

/** A JSON value for a body's field. */
function fieldValues(name: string, schema: JsonSchema, knownIds: KnownIds): fc.Arbitrary<Part<unknown>> {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (schema.anyOf !== undefined) return eitherValues(name, schema.anyOf, knownIds);
  if (schema.enum !== undefined)
    return mixedParts(
      fc.constantFrom<unknown>(...schema.enum).map(valid),
      fc.constantFrom(...schema.enum).map((text) => invalid(` ${text}`)),
      fc.constantFrom<unknown>(null, 1.5, [], {}, ["x"], ...invalidValues, ...hostileTexts).map(invalid),
    );
  switch (schema.type) {
    case "integer":
      return mixedParts<unknown>(
        fc.integer({ min: 1, max: 120 }).map(valid),
        fc
          .constantFrom(0, -1, 2_147_483_648, Number.MAX_SAFE_INTEGER, 1e300)
          .map((number) => (number < minimum || number > maximum ? unclear(number) : valid(number))),
        fc.constantFrom<unknown>(null, 1.5, [], {}, ["x"], ...invalidValues, "1", ...hostileTexts).map(invalid),
      );
    case "number":
      return numberValues(schema);
    case "boolean":
      return mixedParts<unknown>(
        // A free download needs a preview with a tag.
        fc.boolean().map(name === "free_download" ? unclear : valid),
        fc.constantFrom("true", "", 0, 1).map(invalid),
        fc.constantFrom<unknown>(null, 1.5, [], ...invalidValues.filter((value) => value !== true)).map(invalid),
      );
    case "array":
      return listValues(name, schema, knownIds);
    case "object":
      return mixedParts<unknown>(
        objectsOf(schema, knownIds),
        objectsOf(schema, knownIds).map(({ value }) => invalid({ ...value, id: 1 })),
        fc.constantFrom<unknown>(null, 1.5, "", "{}", [], ["x"], ...invalidValues).map(invalid),
      );
    case "string":
      return textValues(name, schema, knownIds);
  }
  throw new Error(`The field ${name} has an unknown type.`);
}

/** A value that is invalid for one alternative may be valid for another. */
function eitherValues(
  name: string,
  alternatives: readonly JsonSchema[],
  knownIds: KnownIds,
): fc.Arbitrary<Part<unknown>> {
  const kinds = alternatives.filter(({ type }) => type !== "null");
  const isNullable = kinds.length < alternatives.length;
  const alternativeValues = fc
    .oneof(...kinds.map((kind) => fieldValues(name, kind, knownIds)))
    .map(({ value, validity }) => {
      if (value === null) return isNullable ? cleared(name) : invalid(value);
      return kinds.length > 1 && validity === "invalid" ? unclear(value) : { value, validity };
    });
  // The names of existing genres.
  const values =
    name === "genre"
      ? fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...knownIds.genres).map(valid) },
          {
            weight: 2,
            arbitrary: alternativeValues.map((part) => (part.validity === "valid" ? unclear(part.value) : part)),
          },
        )
      : alternativeValues;
  return isNullable
    ? fc.oneof({ weight: 1, arbitrary: fc.constant(cleared(name)) }, { weight: 4, arbitrary: values })
    : values;
}

/** A null price: the service derives it from the basic price, unless that one is too high. */
const cleared = (name: string): Part<unknown> => (name === "license_prices" ? unclear(null) : valid(null));

/** Numbers of at most two decimals, like every number in the document. */
function numberValues({ minimum, maximum, multipleOf }: JsonSchema): fc.Arbitrary<Part<unknown>> {
  if (minimum === undefined || maximum === undefined || multipleOf !== 0.01)
    throw new Error("Numbers of bodies have bounds and hundredths.");
  return mixedParts<unknown>(
    fc.integer({ min: minimum * 100 + 1, max: Math.min(maximum, 500) * 100 }).map((cents) => valid(cents / 100)),
    // With the highest basic price, or with 0, the service may be unable to compute the other prices.
    fc.constantFrom(unclear(minimum), valid(minimum + 0.07), unclear(maximum)),
    fc
      .constantFrom<unknown>(
        minimum - 0.01,
        maximum + 0.01,
        minimum + 0.001,
        7.123,
        1e300,
        null,
        "1",
        "",
        [],
        {},
        ...invalidValues,
      )
      .map(invalid),
  );
}

function listValues(name: string, { items = {}, minItems = 0, maxItems = 9 }: JsonSchema, knownIds: KnownIds) {
  const itemValues = fieldValues(name, items, knownIds);
  const isGood = ({ validity }: Part<unknown>) => validity === "valid";
  return mixedParts<unknown>(
    fc
      .uniqueArray(itemValues.filter(isGood), {
        minLength: minItems,
        maxLength: Math.min(3, maxItems),
        selector: identityOf,
      })
      .map((parts) => valid(parts.map(({ value }) => value))),
    // To the service, values that differ only in spaces are equal.
    fc
      .array(itemValues, { minLength: 1, maxLength: 3 })
      .map((parts) => ({ value: parts.map(({ value }) => value), validity: together([...parts, unclear(null)]) })),
    fc
      .constantFrom<unknown>(
        Array.from({ length: maxItems + 1 }, (_, index) => `item ${index}`),
        ["twice", "twice"],
        [null],
        null,
        1.5,
        "x",
        {},
        ...invalidValues,
      )
      .map(invalid),
  );
}

/** The identity of a list item, which the list may contain once: a beat, or a value. */
const identityOf = ({ value }: Part<unknown>): unknown => (value as { beat_id?: unknown } | null)?.beat_id ?? value;

/** Uploads of the account, for a field that accepts their kind. */
const ownUploads = (name: string, { audio, covers, stems }: KnownIds): readonly string[] =>
  ({ audio, preview_tag: audio, cover: covers, stems })[name] ?? [];

/** Valid values of fields in requests about licenses. */
const licenseValues: Readonly<Record<string, readonly string[]>> = {
  use: ["streams", "stems", "content_id", "film", "anything"],
  territory: ["DE", "US"],
  on: ["2027-02-28", "2999-12-31"],
  period: ["2026-10", "2026-11"],
};

function textValues(name: string, schema: JsonSchema, knownIds: KnownIds): fc.Arbitrary<Part<unknown>> {
  // No schema can express whether a moment is in the future and fits the status.
  if (schema.format === "date-time")
    return mixedParts<unknown>(
      fc.constantFrom("2027-03-01T12:00:00Z", "2026-01-01T00:00:00+02:00").map(unclear),
      texts(schema).map(({ value }) => unclear(value)),
      fc.constantFrom<unknown>(1.5, [], {}, ["x"], ...invalidValues).map(invalid),
    );
  const isLicense = name === "upgrades_license";
  const isId = isLicense || schema.pattern?.includes("upl_") === true;
  const validTexts =
    schema.format === "uri"
      ? webAddresses
      : schema.format === "musical-key"
        ? ["Am", "C major", "8B", "Gb minor"]
        : isId
          ? ownUploads(name, knownIds).concat(name === "preview_tag" ? ["default", "none"] : [])
          : name === "payment_method"
            ? ["pm_card_visa", "pm_card_visa_chargeDeclined", "pm_card_authenticationRequired"]
            : name === "currency"
              ? ["USD"]
              : name === "email"
                ? ["ada@example.com"]
                : (licenseValues[name] ?? ["Ada", "é 🎵"]);
  // The id of another account's resource, an id that never existed, or a text that is not an id.
  const strangers = isLicense
    ? fc.constantFrom(...knownIds.licenses, "00000000-0000-4000-8000-000000000000").map(unclear)
    : fc.stringMatching(/^upl_[0-9A-Za-z]{22}$/).map(unclear);
  return mixedParts<unknown>(
    validTexts.length === 0 ? strangers : fc.constantFrom(...validTexts).map(valid),
    isId
      ? fc.oneof(
          texts(schema).map(({ value }) => unclear(value)),
          strangers,
        )
      : texts(schema).map(({ value }) => unclear(value)),
    fc
      .oneof(
        fc.constant("x".repeat((schema.maxLength ?? 2_000) + 1)),
        fc.constantFrom<unknown>(null, 1.5, [], {}, ["x"], ...invalidValues),
      )
      .map(invalid),
  );
}

function objectsOf(schema: JsonSchema, knownIds: KnownIds): fc.Arbitrary<Part<Record<string, unknown>>> {
  const { properties = {}, required = [] } = schema;
  // If a body has many fields, a request sends only a few of them.
  const absentWeight = Math.max(6, 4 * (Object.keys(properties).length - 5));
  const fields = Object.entries(properties).map(([name, value]) =>
    fc.oneof(
      {
        weight: 12,
        arbitrary: fieldValues(name, value, knownIds).map((part) => ({
          ...part,
          value: [[name, part.value]] as [string, unknown][],
        })),
      },
      {
        weight: required.includes(name) ? 1 : absentWeight,
        arbitrary: fc.constant<Part<[string, unknown][]>>(required.includes(name) ? invalid([]) : valid([])),
      },
    ),
  );
  return fc.tuple(...fields).map((parts) => ({
    value: Object.fromEntries(parts.flatMap(({ value }) => value)),
    validity: together(parts),
  }));
}

/** Generates a JSON body, valid or broken. */
export function bodyOf(schema: JsonSchema, knownIds: KnownIds): fc.Arbitrary<Part<Buffer | null>> {
  const objects = objectsOf(resolved(schema), knownIds);
  return fc.oneof(
    {
      weight: 20,
      arbitrary: objects.map(({ value, validity }) => ({ value: Buffer.from(JSON.stringify(value)), validity })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(objects, fc.constantFrom(...hostileTexts, "id", "user_id", "status", "amount", "is_producer"))
        .map(([{ value }, name]) =>
          // Built as text, since `__proto__` in an object literal would set the prototype.
          invalid(Buffer.from(`{${JSON.stringify(name)}:1,${JSON.stringify(value).slice(1).replace(/^}$/, '"x":1}')}`)),
        ),
    },
    { weight: 2, arbitrary: fc.constantFrom(...notObjects()).map((bytes) => invalid(bytes)) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => invalid(Buffer.from(bytes))),
    },
  );
}

const notObjects = (): Buffer[] =>
  [
    "",
    " ",
    "null",
    "[]",
    '"text"',
    "1",
    "{",
    "{}}",
    '{"a":1,}',
    "{'a':1}",
    "\ufeff",
    '{"display_name":"a","display_name":"b"}',
    '{"beat_id":1,"beat_id":2,"payment_method":"x"}',
    '{"payment_method":"\\ud800","display_name":"\\udfff","beat_id":1}',
    `${"[".repeat(40_000)}${"]".repeat(40_000)}`,
    `{"bio":${'{"a":'.repeat(15_000)}1${"}".repeat(15_000)}}`,
    `{"bio":"${"\\u0000".repeat(10)}"}`,
    `{"beat_id":${"9".repeat(5_000)},"payment_method":"x","bio":1}`,
    `{"bio":"${"x".repeat(101_000)}"}`,
  ]
    .map((text) => Buffer.from(text))
    .concat(
      Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    );

function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (apiDocument.components.schemas[name] ?? {});
}

export const binaryContents: readonly Buffer[] = ["", "x", "RIFF\0\0\0", "x".repeat(1_000)].map((text) =>
  Buffer.from(text),
);

/** A part of a file. No schema can express whether the file has room for it. */
export const binaryBodies = (isRequired: boolean): fc.Arbitrary<Part<Buffer | null>> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom<Buffer | null>(...binaryContents, ...(isRequired ? [] : [null])).map(valid),
    },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ minLength: 1, maxLength: 2_000 }).map((bytes) => valid(Buffer.from(bytes))),
    },
  );
