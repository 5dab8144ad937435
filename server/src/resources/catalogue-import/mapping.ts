import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { OperatorError } from "../../errors.ts";
import { nearestName } from "../../http/input/names.ts";
import { maxPriceCents, type PriceRule } from "../beats/licensing/prices.ts";
import { field, fieldWith, settingText } from "./fields/mapped-field.ts";
import { durationUnits } from "./fields/parsers/duration-field.ts";
import { type PlainColumn, plainFields } from "./fields/plain-fields.ts";

export const encodings = ["utf-8", "windows-1252", "utf-16le"] as const;
export type Encoding = (typeof encodings)[number];

// How a file becomes beats: the form of MAP.json, as docs/import.md describes it.

const closed = { additionalProperties: false };
const cents = Type.Integer({ minimum: 0, maximum: maxPriceCents });
const percent = Type.Integer({ minimum: 0, maximum: 1_000_000 });

const plainForms = Object.fromEntries(
  Object.entries(plainFields).map(([name, { form }]) => [name, Type.Optional(form)]),
) as { [Name in PlainColumn]: Type.TOptional<(typeof plainFields)[Name]["form"]> };

const fields = Type.Object(
  {
    external_id: Type.Optional(field),
    title: field,
    producer: fieldWith({ lists: Type.Optional(Type.Enum(["first", "join"])) }),
    genre: Type.Optional(
      fieldWith({
        split: Type.Optional(settingText),
        capitalize: Type.Optional(Type.Boolean()),
        groups: Type.Optional(Type.Record(Type.String(), Type.Array(settingText))),
        ungrouped: Type.Optional(settingText),
      }),
    ),
    tempo: field,
    key: Type.Optional(fieldWith({ mode_column: Type.Optional(settingText) })),
    duration: Type.Optional(
      fieldWith({ unit: Type.Optional(Type.Enum([...durationUnits])), unit_column: Type.Optional(settingText) }),
    ),
    ...plainForms,
  },
  closed,
);

const mappingForm = Type.Object(
  {
    source: Type.Object(
      {
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        column: Type.Optional(settingText),
      },
      closed,
    ),
    format: Type.Optional(Type.Enum(["csv", "tsv", "jsonl"])),
    delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
    quote: Type.Optional(Type.String({ maxLength: 1 })),
    encoding: Type.Optional(Type.Enum([...encodings])),
    null_words: Type.Optional(Type.Array(Type.String())),
    fields,
    prices: Type.Optional(
      Type.Object(
        {
          column: Type.Optional(settingText),
          unit: Type.Optional(Type.Enum(["units", "cents"])),
          null_words: Type.Optional(Type.Array(Type.String())),
          base_cents: Type.Optional(cents),
          per_popularity_point_cents: Type.Optional(cents),
          per_minute_cents: Type.Optional(cents),
          ending_cents: Type.Optional(Type.Integer({ minimum: 0, maximum: 99 })),
          premium_percent: Type.Optional(percent),
          unlimited_percent: Type.Optional(percent),
          exclusive_percent: Type.Optional(percent),
        },
        closed,
      ),
    ),
  },
  closed,
);

export type Mapping = Static<typeof mappingForm>;

const form = Compile(mappingForm);

/** Reads a mapping's JSON text. Throws an OperatorError that names `origin`, the wrong setting and the reason. */
export function readMapping(text: string, origin: string): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`${origin} is not JSON: ${(error as Error).message}.`);
  }
  const mapping = withoutShorthands(value);
  if (!form.Check(mapping)) throw new OperatorError(`${origin}: ${complaint(mapping)}`);
  const { source, fields, prices } = mapping;
  if (source.name === undefined && source.column === undefined)
    throw new OperatorError(`${origin}: source takes a name, such as "spotify", or {"column": …}.`);
  const { unit, unit_column } = fields.duration ?? { unit: "s" };
  if (unit === undefined && unit_column === undefined)
    throw new OperatorError(`${origin}: fields.duration takes a unit (${durationUnits.join(", ")}) or a unit_column.`);
  if (prices?.column === undefined && prices?.unit !== undefined)
    throw new OperatorError(`${origin}: prices.unit is the unit of a column, and prices has none.`);
  return mapping;
}

/** The columns that a mapping reads. Every row needs the `required` ones. */
export function mappedColumns({ source, fields, prices }: Mapping): { all: string[]; required: string[] } {
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

/** Expands short forms: "title": "track_name" means {"column": "track_name"}, and a default may be a number. */
function withoutShorthands(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { source, fields, ...rest } = value;
  return {
    ...rest,
    ...(source !== undefined && { source: typeof source === "string" ? { name: source } : source }),
    ...(fields !== undefined && {
      fields: isObject(fields)
        ? Object.fromEntries(Object.entries(fields).map(([name, given]) => [name, longForm(given)]))
        : fields,
    }),
  };
}

function longForm(given: unknown): unknown {
  if (typeof given === "string") return { column: given };
  return isObject(given) && typeof given.default === "number" ? { ...given, default: String(given.default) } : given;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first error, as a sentence that names the setting. */
function complaint(mapping: unknown): string {
  const errors = form.Errors(mapping);
  const error = errors.find(({ keyword }) => keyword === "additionalProperties") ?? errors[0];
  if (error === undefined) return "it is not a mapping.";
  const place = error.instancePath.slice(1).replaceAll("/", ".");
  if (error.keyword === "additionalProperties") {
    const [unknown = ""] = error.params.additionalProperties;
    const known = Object.keys(schemaAt(error.schemaPath));
    const near = nearestName(unknown, known);
    const hint = near === undefined ? `Known are ${known.join(", ")}.` : `Did you mean ${near}?`;
    return `${place === "" ? "" : `${place}.`}${unknown} is no setting. ${hint}`;
  }
  if (error.keyword === "required")
    return `${[place, error.params.requiredProperties[0]].filter(Boolean).join(".")} is missing.`;
  if (error.keyword === "enum")
    return `${place} takes one of ${error.params.allowedValues.map((value) => JSON.stringify(value)).join(", ")}.`;
  return `${place === "" ? "it" : place} ${error.message}.`;
}

/** The properties of the form at a schema path such as #/properties/fields. */
function schemaAt(path: string): object {
  let schema: unknown = mappingForm;
  for (const step of path.split("/").slice(1)) schema = isObject(schema) ? schema[step] : undefined;
  return isObject(schema) && isObject(schema.properties) ? schema.properties : {};
}

/** The default prices: 19.99 to 49.99 by popularity. */
const usualPrices: PriceRule = {
  baseCents: 1999,
  perPopularityPointCents: 30,
  perMinuteCents: 0,
  endingCents: 99,
  premiumPercent: 200,
  unlimitedPercent: 500,
  exclusivePercent: 2000,
};

export function priceRule({ prices = {} }: Mapping): PriceRule {
  return {
    baseCents: prices.base_cents ?? usualPrices.baseCents,
    perPopularityPointCents: prices.per_popularity_point_cents ?? usualPrices.perPopularityPointCents,
    perMinuteCents: prices.per_minute_cents ?? usualPrices.perMinuteCents,
    endingCents: prices.ending_cents ?? usualPrices.endingCents,
    premiumPercent: prices.premium_percent ?? usualPrices.premiumPercent,
    unlimitedPercent: prices.unlimited_percent ?? usualPrices.unlimitedPercent,
    exclusivePercent: prices.exclusive_percent ?? usualPrices.exclusivePercent,
  };
}
