import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { nearestName } from "@beatmarket/http/input/names.ts";
import { durationUnits } from "@beatmarket/tabular-files/cells/duration.ts";
import type { FileColumns } from "@beatmarket/tabular-files/row.ts";
import { encodings } from "@beatmarket/tabular-files/text-chunks.ts";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";
import { maxPriceCents, type PriceRule, usualPrices } from "../beats/licensing/licenses.ts";
import { field, fieldWith, settingText } from "./fields/mapped-field.ts";
import { type PlainColumn, plainFields } from "./fields/plain-fields.ts";

// The schema of MAP.json, which defines how a file becomes beats (docs/import.md).

const closed = { additionalProperties: false };
const cents = Type.Integer({ minimum: 0, maximum: maxPriceCents });
const percent = Type.Integer({ minimum: 0, maximum: 1_000_000 });
/** For licenses that are never free. */
const paidPercent = Type.Integer({ minimum: 1, maximum: 1_000_000 });

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

/** Overrides of the detected properties of a file. */
const fileForm = {
  format: Type.Optional(Type.Enum(["csv", "tsv", "jsonl", "json"])),
  delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
  quote: Type.Optional(Type.String({ maxLength: 1 })),
  encoding: Type.Optional(Type.Enum([...encodings])),
};

/** A second file. An imported row is joined with the row of this file whose column `key` has the value of `column`. */
const joinForm = Type.Object({ file: settingText, column: settingText, key: settingText, ...fileForm }, closed);

const mappingForm = Type.Object(
  {
    source: Type.Object(
      {
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
        column: Type.Optional(settingText),
      },
      closed,
    ),
    ...fileForm,
    null_words: Type.Optional(Type.Array(Type.String())),
    fields,
    joins: Type.Optional(Type.Record(Type.String(), joinForm)),
    prices: Type.Optional(
      Type.Object(
        {
          column: Type.Optional(settingText),
          unit: Type.Optional(Type.Enum(["units", "cents"])),
          decimal_mark: Type.Optional(Type.Enum([".", ","])),
          null_words: Type.Optional(Type.Array(Type.String())),
          base_cents: Type.Optional(cents),
          per_popularity_point_cents: Type.Optional(cents),
          per_minute_cents: Type.Optional(cents),
          ending_cents: Type.Optional(Type.Integer({ minimum: 0, maximum: 99 })),
          premium_percent: Type.Optional(percent),
          unlimited_percent: Type.Optional(paidPercent),
          exclusive_percent: Type.Optional(paidPercent),
        },
        closed,
      ),
    ),
  },
  closed,
);

export type Mapping = Static<typeof mappingForm>;
export type Join = Static<typeof joinForm>;

const form = Compile(mappingForm);

/** Reads a mapping's JSON text. Throws an OperatorError that names `origin`, the wrong setting and the reason. */
export function readMapping(text: string, origin: string): Mapping {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`${origin} is not JSON: ${(error as Error).message}.`);
  }
  const mapping = expandShortForms(value);
  if (!form.Check(mapping)) throw new OperatorError(`${origin}: ${firstError(mapping)}`);
  const { source, fields, prices } = mapping;
  requireColumnsOrValues(mapping, origin);
  requireValidJoins(mapping, origin);
  if (source.name === undefined && source.column === undefined)
    throw new OperatorError(`${origin}: source takes a name, such as "spotify", or {"column": …}.`);
  const { unit, unit_column } = fields.duration ?? { unit: "s" };
  if (unit === undefined && unit_column === undefined)
    throw new OperatorError(`${origin}: fields.duration takes a unit (${durationUnits.join(", ")}) or a unit_column.`);
  for (const setting of ["unit", "decimal_mark"] as const)
    if (prices?.column === undefined && prices?.[setting] !== undefined)
      throw new OperatorError(`${origin}: prices.${setting} belongs to a price column, and prices has no column.`);
  if (prices?.unit === "cents" && prices.decimal_mark !== undefined)
    throw new OperatorError(`${origin}: prices.decimal_mark needs the unit "units"; cents have no decimals.`);
  return mapping;
}

/** Throws an OperatorError unless each field has either a column or a value. */
function requireColumnsOrValues({ fields }: Mapping, origin: string): void {
  for (const [name, { column, value, default: fallback, null_words: nullWords }] of Object.entries(fields)) {
    const place = `${origin}: fields.${name}`;
    if (column === undefined && value === undefined)
      throw new OperatorError(`${place} takes a column, or a value for every row.`);
    if (value === undefined) continue;
    if (column !== undefined) throw new OperatorError(`${place} takes a column or a value, not both.`);
    if (fallback !== undefined || nullWords !== undefined)
      throw new OperatorError(`${place} has a value for every row; default and null_words belong to a column.`);
  }
  if (fields.external_id?.value !== undefined)
    throw new OperatorError(`${origin}: fields.external_id takes a column; one value would make all rows one beat.`);
}

function requireValidJoins(mapping: Mapping, origin: string): void {
  for (const [name, { column }] of Object.entries(mapping.joins ?? {})) {
    if (!/^\w+$/.test(name))
      throw new OperatorError(`${origin}: joins.${name}: a join's name takes letters, digits and underscores.`);
    if (joinOf(mapping, column) !== undefined)
      throw new OperatorError(`${origin}: joins.${name}.column takes a column of the imported file itself.`);
    if (joinedColumns(mapping, name).all.length === 0)
      throw new OperatorError(`${origin}: joins.${name} is joined, and no field reads a column such as ${name}.name.`);
  }
}

/** The columns that a mapping reads, by the names in the mapping. */
export function mappedColumns({ source, fields, prices }: Mapping): FileColumns {
  const required = [fields.title, fields.producer, fields.tempo].map(({ column }) => column);
  const more = [
    source.column,
    ...Object.values(fields).map(({ column }) => column),
    fields.key?.mode_column,
    fields.duration?.unit_column,
    prices?.column,
  ];
  const { producer, genre, tags } = fields;
  return {
    all: distinct([...required, ...more]),
    required: distinct(required),
    amounts: distinct([prices?.column]),
    lists: distinct([producer.lists && producer.column, genre?.column, tags?.column]),
  };
}

/** The columns of the imported file: columns that fill fields, and columns with the keys of joined files. */
export function columnsOfFile(mapping: Mapping): FileColumns {
  const { all, required, amounts, lists } = mappedColumns(mapping);
  const columnInFile = (column: string) => joinOf(mapping, column)?.join.column ?? column;
  const keys = Object.values(mapping.joins ?? {}).map(({ column }) => column);
  return {
    all: distinct(all.map(columnInFile)),
    required: distinct(required.map(columnInFile)),
    amounts,
    lists: distinct([...lists, ...keys]),
  };
}

/** The columns of a joined file that fill fields, by the names in that file. */
export function joinedColumns(mapping: Mapping, name: string): Omit<FileColumns, "required"> {
  const columnsInFile = (columns: readonly string[]) =>
    columns.flatMap((column) => {
      const joined = joinOf(mapping, column);
      return joined?.name === name ? [joined.column] : [];
    });
  const { all, amounts, lists } = mappedColumns(mapping);
  return { all: columnsInFile(all), amounts: columnsInFile(amounts), lists: columnsInFile(lists) };
}

/** The join that a column such as `artists.name` belongs to; undefined for a column of the imported file. */
export function joinOf(
  { joins = {} }: Mapping,
  column: string,
): { name: string; join: Join; column: string } | undefined {
  const dot = column.indexOf(".");
  const name = column.slice(0, Math.max(dot, 0));
  const join = Object.hasOwn(joins, name) ? joins[name] : undefined;
  return join && { name, join, column: column.slice(dot + 1) };
}

const distinct = (columns: readonly (string | undefined)[]): string[] => [
  ...new Set(columns.filter((column) => column !== undefined)),
];

/** Expands short forms: "title": "track_name" means {"column": "track_name"}; a default and a value may be numbers. */
function expandShortForms(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { source, fields, ...rest } = value;
  return {
    ...rest,
    ...(source !== undefined && { source: typeof source === "string" ? { name: source } : source }),
    ...(fields !== undefined && {
      fields: isObject(fields)
        ? Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, expandField(field)]))
        : fields,
    }),
  };
}

function expandField(field: unknown): unknown {
  if (typeof field === "string") return { column: field };
  if (!isObject(field)) return field;
  const asText = (value: unknown) => (typeof value === "number" ? String(value) : value);
  const longForm = { ...field };
  for (const name of ["default", "value"]) if (name in field) longForm[name] = asText(field[name]);
  return longForm;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first error, as a sentence that names the setting. */
function firstError(mapping: unknown): string {
  const errors = form.Errors(mapping);
  const error = errors.find(({ keyword }) => keyword === "additionalProperties") ?? errors[0];
  if (error === undefined) return "it is not a mapping.";
  const place = error.instancePath.slice(1).replaceAll("/", ".");
  if (error.keyword === "additionalProperties") {
    const [unknown = ""] = error.params.additionalProperties;
    const names = Object.keys(schemaAt(error.schemaPath));
    const suggestion = nearestName(unknown, names);
    const hint = suggestion === undefined ? `Known are ${names.join(", ")}.` : `Did you mean ${suggestion}?`;
    return `${place === "" ? "" : `${place}.`}${unknown} is not a setting. ${hint}`;
  }
  if (error.keyword === "required")
    return `${[place, error.params.requiredProperties[0]].filter(Boolean).join(".")} is missing.`;
  if (error.keyword === "enum")
    return `${place} takes one of ${error.params.allowedValues.map((value) => JSON.stringify(value)).join(", ")}.`;
  return `${place === "" ? "it" : place} ${error.message}.`;
}

/** The properties of the schema at a path such as #/properties/fields. */
function schemaAt(path: string): object {
  let schema: unknown = mappingForm;
  for (const step of path.split("/").slice(1)) schema = isObject(schema) ? schema[step] : undefined;
  return isObject(schema) && isObject(schema.properties) ? schema.properties : {};
}

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
