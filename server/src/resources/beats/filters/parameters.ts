import { facetNames } from "@beatmarket/catalogue-index/query.ts";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { nearestName } from "@beatmarket/http/input/names.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import Type, { type TSchema } from "typebox";

// The parameters that GET /beats and GET /search share (docs/api/beats.md, Filters).

/** Values separated by commas, without duplicates. */
const listOf = <Items extends TSchema>(items: Items, maxItems: number, description: string) =>
  Type.Optional(Type.Array(items, { minItems: 1, maxItems, uniqueItems: true, description }));

const name = Type.String({ minLength: 1, maxLength: 100 });
/** The explorer shows a field of this format as the circle of fifths. */
const keyFormat = { format: "musical-key" };
const bpm = { minimum: 1, maximum: 999 };
/** `price_cents` is a 32-bit integer. */
const price = { minimum: 0, maximum: 21_474_836.47, multipleOf: 0.01 };
const seconds = { minimum: 0, maximum: 2_147_483_647 };

export const filterParameters = {
  genre: listOf(Type.Integer(), 100, "Only beats of the genres with these ids, separated by commas."),
  producer: listOf(Type.Integer(), 100, "Only beats of the producers with these ids, separated by commas."),
  bpm_min: Type.Optional(Type.Integer({ ...bpm, description: "Only beats of this `bpm` or faster." })),
  bpm_max: Type.Optional(Type.Integer({ ...bpm, description: "Only beats of this `bpm` or slower." })),
  bpm: Type.Optional(
    Type.Integer({ ...bpm, description: "Only beats of this `bpm`. Instead of `bpm_min` and `bpm_max`." }),
  ),
  bpm_tolerance: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 50,
      description: "The percentage by which a beat may differ from `bpm`. Default: 0.",
    }),
  ),
  half_double: Type.Optional(
    Type.Boolean({ description: "Whether beats of half and of double the `bpm` match as well. Default: false." }),
  ),
  key: listOf(
    Type.String({ minLength: 1, maxLength: 100, ...keyFormat }),
    36,
    "Only beats in these keys, separated by commas: `A minor`, `Am` or `8A` (Camelot); enharmonic spellings are the same key; `unknown` for beats without one.",
  ),
  key_compatible: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      ...keyFormat,
      "x-key-match": "compatible",
      description:
        "Only beats that mix with this key: itself, its relative and its neighbours on the circle of fifths. Spelled as in `key`.",
    }),
  ),
  price_min: Type.Optional(Type.Number({ ...price, description: "Only beats whose `price` is this or more." })),
  price_max: Type.Optional(Type.Number({ ...price, description: "Only beats whose `price` is this or less." })),
  duration_min: Type.Optional(Type.Integer({ ...seconds, description: "Only beats of this many seconds or more." })),
  duration_max: Type.Optional(Type.Integer({ ...seconds, description: "Only beats of this many seconds or less." })),
  created_after: Type.Optional(
    Type.String({
      format: "date-or-time",
      description:
        "Only beats whose `created_at` is this time or later, ISO 8601. A date alone is its first second, UTC.",
    }),
  ),
  created_before: Type.Optional(
    Type.String({
      format: "date-or-time",
      description:
        "Only beats whose `created_at` is this time or earlier, ISO 8601. A date alone is its last second, UTC.",
    }),
  ),
  tag: listOf(name, 20, "Only beats with one of these tags, separated by commas. Accents and case are ignored."),
  license: listOf(
    Type.Enum([...licenseTypes]),
    licenseTypes.length,
    "Only beats with one of these licenses available, separated by commas.",
  ),
};

export const facetsParameter = {
  facets: listOf(
    Type.Enum([...facetNames]),
    facetNames.length,
    "The properties to count beats by, separated by commas. Counts are exact and apply all filters except those on the same property.",
  ),
};

export const fieldsParameter = {
  fields: listOf(
    Type.String({ minLength: 1, maxLength: 60 }),
    60,
    "The fields to return of each object, separated by commas, by their names in the response. Fields that only the response of a single beat has are allowed, too. All other fields are absent, although the schemas of responses describe whole objects.",
  ),
};

/** Ids that a JSON number represents exactly, so that the response can list a missing id as it was requested. */
export const idsParameter = {
  ids: listOf(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    100,
    "Ids of beats, separated by commas. Returns these beats in this order, with all details, also sold ones. Can be combined with `fields` only.",
  ),
};

/** The orders of lists of beats. Each has the id as its last sort key. */
export const beatSorts = ["newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"] as const;

const rangeCount = (value: TSchema, max: TSchema) => Type.Object({ value, max, count: Type.Integer({ minimum: 1 }) });
const valueCount = (value: TSchema) => Type.Object({ value, count: Type.Integer({ minimum: 1 }) });

/** Schema of `presentFacets`. */
export const Facets = Type.Object(
  {
    genre: Type.Optional(
      Type.Array(valueCount(Type.Object({ id: Type.Integer(), name: Type.String() })), {
        description: "The most frequent genre comes first.",
      }),
    ),
    key: Type.Optional(
      Type.Array(valueCount(Type.String({ description: 'The key as in beats; "" for an unknown key.' })), {
        description: "The most frequent key comes first.",
      }),
    ),
    bpm: Type.Optional(
      Type.Array(
        rangeCount(
          Type.Integer({ minimum: 1, description: "The lowest bpm of the range, as for `bpm_min`." }),
          Type.Integer({ minimum: 1, description: "The highest bpm of the range, as for `bpm_max`." }),
        ),
        { description: "Ranges of ten, the slowest first." },
      ),
    ),
    price: Type.Optional(
      Type.Array(
        rangeCount(
          Type.Number({ minimum: 0, description: "The lowest price of the range, as for `price_min`." }),
          Type.Number({ minimum: 0, description: "The highest price of the range, as for `price_max`." }),
        ),
        { description: "At most ten ranges, the lowest first." },
      ),
    ),
    tag: Type.Optional(
      Type.Array(valueCount(Type.String()), { description: "The 100 most frequent tags, the most frequent first." }),
    ),
  },
  { description: "The numbers of beats by value. Only with `facets`." },
);

/** The names of the fields that objects are reduced to; undefined for all. */
export type Fields = ReadonlySet<string> | undefined;

/** Reads the fields that a request names. Throws invalid_request, with the nearest name, for an unknown field. */
export function readFields(requested: readonly string[] | undefined, names: readonly string[]): Fields {
  for (const name of requested ?? []) {
    if (names.includes(name)) continue;
    const suggestion = nearestName(name, names);
    const hint =
      suggestion === undefined ? `The fields of this form are ${names.join(", ")}.` : `Did you mean ${suggestion}?`;
    throw invalidRequest(
      `The fields parameter names ${JSON.stringify(quoted(name))}, which is not a field. ${hint}`,
      "fields",
    );
  }
  return requested && new Set(requested);
}

/** Returns the object with only these fields. */
export const pickFields = (object: object, fields: Fields): object =>
  fields === undefined ? object : Object.fromEntries(Object.entries(object).filter(([name]) => fields.has(name)));
