import type { Json } from "../call.ts";
import table from "../go-types.json" with { type: "json" };
import { bracketed, escapeInvisible } from "../source-text.ts";
import { goName } from "./go-name.ts";

/**
 * The Go client's types of requests: the type of each field by its wire name. `npm run contract` writes go-types.json.
 */
export const goTypes = table as unknown as {
  /** The structures that a method takes, by operation id: one for its query (`params`) and one for its body. */
  methods: Record<string, { params?: string; body?: string }>;
  structures: Record<string, Record<string, string>>;
};

const form = { indent: "\t", trailingComma: "," } as const;

/** A value as an expression of a type; undefined if the type does not allow the value. */
export function goValue(value: Json, type: string): string | undefined {
  const [, optional] = /^Opt\[(.*)\]$/.exec(type) ?? [];
  if (optional !== undefined) return optionalValue(value, optional);
  if (type.startsWith("[]")) return goList(Array.isArray(value) ? value : [value], type.slice(2));
  const [, ofMap] = /^map\[string\](.*)$/.exec(type) ?? [];
  if (ofMap !== undefined) return isObject(value) ? goMap(value, ofMap) : undefined;
  const fields = goTypes.structures[type];
  if (fields !== undefined) return isObject(value) ? goStructure(type, value, fields) : undefined;
  switch (type) {
    case "any":
      return anyValue(value);
    case "Value":
      return `beatmarket.Value(${goText(JSON.stringify(value))})`;
    case "int":
      return Number.isSafeInteger(value) ? String(value) : undefined;
    case "float64":
      return typeof value === "number" ? JSON.stringify(value) : undefined;
    case "bool":
      return typeof value === "boolean" ? String(value) : undefined;
    default:
      return typeof value === "string" ? goText(value) : undefined;
  }
}

/** The structure with these fields; undefined if the structure lacks one of them. */
export function goStructure(
  name: string,
  values: Record<string, Json>,
  fields: Record<string, string> = goTypes.structures[name] ?? {},
): string | undefined {
  const members = Object.entries(values).map(([field, value]) => {
    const literal = Object.hasOwn(fields, field) ? goValue(value, fields[field] ?? "") : undefined;
    return literal === undefined ? undefined : ([goName(field), literal] as const);
  });
  return withKeys(qualified(name), members);
}

/** A Go string in double quotes, with the escapes of JSON. */
export const goText = (text: string): string =>
  escapeInvisible(JSON.stringify(text.toWellFormed()), (hex) =>
    hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`,
  );

function optionalValue(value: Json, type: string): string | undefined {
  if (value === null) return `beatmarket.Null[${qualified(type)}]()`;
  const literal = goValue(value, type);
  if (literal === undefined) return undefined;
  // The type is omitted if the compiler infers it from the literal.
  const isInferred = ["int", "bool", "string"].includes(type) || literal.endsWith("}") || /^-?\d+\.\d+$/.test(literal);
  return `beatmarket.Some${isInferred ? "" : `[${qualified(type)}]`}(${literal})`;
}

const goList = (values: Json[], type: string): string | undefined =>
  composed(
    `[]${qualified(type)}`,
    values.map((value) => goValue(value, type)),
  );

const goMap = (values: Record<string, Json>, type: string): string | undefined =>
  withKeys(
    `map[string]${qualified(type)}`,
    Object.entries(values).map(([name, value]) => {
      const literal = goValue(value, type);
      return literal === undefined ? undefined : ([goText(name), literal] as const);
    }),
  );

/** Members with keys. On separate lines, the values are aligned as gofmt does. */
export function withKeys(type: string, members: (readonly [string, string] | undefined)[]): string | undefined {
  if (members.includes(undefined)) return undefined;
  const pairs = members as (readonly [string, string])[];
  const inline = composed(
    type,
    pairs.map(([key, value]) => `${key}: ${value}`),
  );
  if (!inline?.includes("\n")) return inline;
  const isLong = pairs.map(([, value]) => value.includes("\n"));
  const widthAt = (index: number): number => {
    const from = isLong.lastIndexOf(true, index) + 1;
    const to = isLong.indexOf(true, index);
    const keys = pairs.slice(from, to < 0 ? undefined : to).map(([key]) => [...key].length);
    return isLong[index] ? 0 : Math.max(...keys);
  };
  return composed(
    type,
    pairs.map(([key, value], index) => `${`${key}:`.padEnd(widthAt(index) + 1)} ${value}`),
  );
}

function anyValue(value: Json): string | undefined {
  if (value === null) return "nil";
  if (typeof value === "string") return goText(value);
  if (Array.isArray(value)) return goList(value, "any");
  return isObject(value) ? goMap(value, "any") : JSON.stringify(value);
}

const composed = (type: string, members: (string | undefined)[]): string | undefined =>
  members.includes(undefined) ? undefined : `${type}${bracketed(["{", "}"], members as string[], form, type)}`;

/** `[]LicenseType` as []beatmarket.LicenseType. */
const qualified = (type: string): string => type.replace(/[A-Z]\w*/, "beatmarket.$&");

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
