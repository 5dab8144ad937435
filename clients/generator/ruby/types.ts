import type { Field, Parameter, Type } from "../interface/types.ts";

/** The YARD classes of a field in a response. */
export function fieldClasses(type: Type): string[] {
  switch (type.kind) {
    case "integer":
      return ["Integer"];
    case "number":
      return ["Integer", "Float"];
    case "boolean":
      return ["Boolean"];
    case "any":
      return ["Object"];
    case "model":
      return [type.name];
    case "list":
      return [`Array<${fieldClasses(type.items).join(", ")}>`];
    case "map":
      return [`Hash{String => ${fieldClasses(type.values).join(", ")}}`];
    case "union":
      return [...new Set(type.members.flatMap(fieldClasses))];
    default:
      return ["String"];
  }
}

/** The YARD classes of an argument. */
export function argumentClasses(type: Type): string[] {
  switch (type.kind) {
    case "number":
      return ["Numeric"];
    case "enum":
      return ["String", "Symbol"];
    case "timestamp":
      return ["Time", "String"];
    case "model":
      return ["Hash{Symbol, String => Object}"];
    case "list":
      return [`Array<${argumentClasses(type.items).join(", ")}>`];
    case "map":
      return [`Hash{Symbol, String => ${argumentClasses(type.values).join(", ")}}`];
    case "union":
      return [...new Set(type.members.flatMap(argumentClasses))];
    default:
      return fieldClasses(type);
  }
}

/** The YARD classes of a filter, which accepts a single value like a list of one. */
export const filter = (type: Type): string[] =>
  type.kind === "list" ? [...argumentClasses(type.items), ...argumentClasses(type)] : argumentClasses(type);

/** The YARD classes of an id in a path. */
export const id = ({ type }: Parameter): string[] =>
  type.kind === "integer" ? ["Integer", "String"] : argumentClasses(type);

/** Converts YARD classes to RBS. */
export function rbs(classes: string[], isNullable = false): string {
  const names = classes.map((each) =>
    each
      .replaceAll(/\bBoolean\b/g, "bool")
      .replaceAll(/\bObject\b/g, "untyped")
      .replaceAll(/Hash\{(.+?) => (.+)\}/g, (_, key: string, value: string) => `Hash[${union(key)}, ${union(value)}]`)
      .replaceAll(/Array<(.+)>/g, (_, items: string) => `Array[${union(items)}]`),
  );
  if (!isNullable) return names.join(" | ");
  return names.length === 1 ? `${names[0]}?` : `(${names.join(" | ")})?`;
}

const union = (classes: string): string => classes.split(", ").join(" | ");

/** The model in a field or in its list; null if there is none. */
export function modelIn(type: Type): string | null {
  if (type.kind === "model") return type.name;
  if (type.kind === "list") return modelIn(type.items);
  if (type.kind === "union") return type.members.map(modelIn).find((name) => name !== null) ?? null;
  return null;
}

/** Whether a field may be nil. */
export const isOptional = ({ isRequired, isNullable }: Field): boolean => !isRequired || isNullable;
