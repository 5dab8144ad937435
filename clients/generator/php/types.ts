import { camelCase } from "../case.ts";
import type { ClientInterface, Field, Model, Parameter, Type } from "../interface/types.ts";

/** The models that occur in responses. Other models are written as arrays. */
export function responseModels(api: ClientInterface): Set<string> {
  const models = new Map(api.models.map((model) => [model.name, model]));
  const names = new Set<string>(["Pagination", ...api.eventTypes.map(({ data }) => data)]);
  for (const { result } of api.operations) {
    if ("model" in result) names.add(result.model);
    if (result.kind === "pages") {
      for (const { model } of result.items) names.add(model);
      for (const { type } of result.extras) for (const name of modelsIn(type)) names.add(name);
    }
  }
  for (const name of names) {
    const model = models.get(name);
    if (model?.parent != null) names.add(model.parent);
    for (const { type } of model?.fields ?? []) for (const nested of modelsIn(type)) names.add(nested);
  }
  return names;
}

export function modelsIn(type: Type): string[] {
  if (type.kind === "model") return [type.name];
  if (type.kind === "list") return modelsIn(type.items);
  if (type.kind === "map") return modelsIn(type.values);
  return type.kind === "union" ? type.members.flatMap(modelsIn) : [];
}

/** The PHPDoc type of a field of a response. */
export function docType(type: Type): string {
  switch (type.kind) {
    case "integer":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "any":
      return "mixed";
    case "model":
      return type.name;
    case "list":
      return `list<${docType(type.items)}>`;
    case "map":
      return `array<string, ${docType(type.values)}>`;
    case "union":
      return type.members.map(docType).join("|");
    default:
      return "string";
  }
}

/** The enumerations in a parameter's type or in the items of its list. */
export function enumsIn(type: Type): string[] {
  if (type.kind === "enum") return [type.name];
  return type.kind === "list" ? enumsIn(type.items) : [];
}

/** The code by which the class Model reads a field: the elements after its name in FIELDS. */
export function readers(type: Type): string[] {
  if (type.kind === "model") return [`${type.name}::class`];
  if (type.kind === "number") return ["'float'"];
  if (type.kind === "list" || type.kind === "map") {
    const inner = readers(type.kind === "list" ? type.items : type.values);
    return inner.length === 0 ? [] : [`[${inner.join(", ")}]`];
  }
  return type.kind === "union" ? type.members.flatMap(readers) : [];
}

/** The types of a parameter in PHP and in PHPDoc, without null. */
export function parameterTypes(type: Type, models: ReadonlyMap<string, Model>, isInBody = false): [string[], string[]] {
  switch (type.kind) {
    case "integer":
      return [["int"], ["int"]];
    case "number":
      return isInBody ? [["int", "float"], ["int|float"]] : [["float"], ["float"]];
    case "boolean":
      return [["bool"], ["bool"]];
    case "timestamp":
      return [["\\DateTimeInterface", "string"], ["\\DateTimeInterface|string"]];
    case "list": {
      const [native, doc] = parameterTypes(type.items, models);
      return isInBody
        ? [["array"], [`list<${doc.join("|")}>`]]
        : [
            [...native, "array"],
            [...doc, `list<${doc.join("|")}>`],
          ];
    }
    case "map":
      return [["array"], [`array<string, ${parameterTypes(type.values, models, true)[1].join("|")}>`]];
    case "model":
      return [["array"], [shape(models.get(type.name)?.fields ?? [], models)]];
    case "union": {
      const all = type.members.map((each) => parameterTypes(each, models, isInBody));
      return [all.flatMap(([native]) => native).sort(), all.flatMap(([, doc]) => doc).sort()];
    }
    case "any":
      return [["mixed"], ["mixed"]];
    case "enum":
      return [
        [type.name, "string"],
        [type.name, "string"],
      ];
    default:
      return [["string"], ["string"]];
  }
}

const maxShape = 86;

function shape(fields: Field[], models: ReadonlyMap<string, Model>): string {
  const items = fields.map(({ name, type, isRequired }) => {
    const [, doc] = parameterTypes(type, models, true);
    return `${name}${isRequired ? "" : "?"}: ${doc.join("|")}`;
  });
  const text = `array{${items.join(", ")}}`;
  // A longer array shape would not fit on a line.
  return text.length > maxShape ? "array<string, mixed>" : text;
}

/** Replaces API names in a description by PHP names. */
export function described(api: ClientInterface): (text: string) => string {
  const names = new Set([
    ...api.models.flatMap(({ fields }) => fields.map(({ name }) => name)),
    ...api.operations.flatMap(({ queryParameters, body }) => [...queryParameters, ...body].map(({ name }) => name)),
  ]);
  return (text) =>
    text.replace(/`(\w+)`/g, (whole, name: string) =>
      names.has(name) && name.includes("_") ? `\`${camelCase(name)}\`` : whole,
    );
}

/** The description of a field or parameter, followed by its values. `isOpen` says that the API may add values. */
export function withValues({ type, description }: Field | Parameter, isOpen: boolean): string {
  const inner = type.kind === "list" ? type.items : type;
  if (inner.kind !== "enum") return description;
  const values = `${type.kind === "list" ? "Of" : "One of"} Value\\${inner.name}${isOpen ? ", or a later value" : ""}.`;
  return description === "" ? values : `${description} ${values}`;
}
