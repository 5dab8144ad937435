import { pascalCase } from "../case.ts";
import type { ClientInterface, Enum, EventType, Field, Model, Operation, Parameter } from "../interface/types.ts";
import { documentation, members, modelName, union } from "./text.ts";

/** The types of all requests and results. */
export function models({ enums, models: allModels, operations, eventTypes }: ClientInterface): string {
  const bodies = new Map(
    operations.flatMap((operation) => (operation.bodyName === null ? [] : [[operation.bodyName, operation] as const])),
  );
  return [
    ...enums.map(enumeration),
    ...allModels.filter(({ name }) => modelName(name) === name).map((model) => modelInterface(model, allModels)),
    ...[...bodies].map(([name, operation]) => bodyInterface(name, operation)),
    ...operations.filter(({ queryParameters }) => optional(queryParameters).length > 0).map(queryInterface),
    events(eventTypes),
  ].join("\n");
}

/** The parameters that are part of the query object. Required parameters are positional. */
export const optional = (parameters: Parameter[]): Parameter[] => parameters.filter(({ isRequired }) => !isRequired);

export const queryName = ({ id }: Operation): string => `${pascalCase(id)}Query`;

/** An enumeration. Editors suggest the known values, but any string is valid. */
const enumeration = ({ name, values }: Enum): string =>
  `${union(`export type ${name} =`, [...values.map((value) => JSON.stringify(value)), "(string & {})"], ";")}\n`;

/** The values that a facet counts, where the shared model has only a union. */
const facetValues: Readonly<Record<string, string>> = {
  "Facets.genre": "GenreName",
  "Facets.key": "string",
  "Facets.bpm": "number",
  "Facets.price": "number",
  "Facets.tag": "string",
};

function modelInterface({ name, description, parent, fields }: Model, allModels: Model[]): string {
  const inherited = allModels.find((each) => each.name === parent)?.fields ?? [];
  const ownFields = fields.filter((field) => !inherited.some((each) => JSON.stringify(each) === JSON.stringify(field)));
  const heading = `export interface ${name}${parent === null ? "" : ` extends ${parent}`} {`;
  const lines = ownFields.map((field) => {
    const facetValue = facetValues[`${name}.${field.name}`];
    const fieldMembers = facetValue === undefined ? members(field.type) : [`(FacetCount & { value: ${facetValue} })[]`];
    const types = [...fieldMembers, ...(field.isNullable ? ["null"] : [])];
    return member(field, union(`  ${field.name}${field.isRequired ? "" : "?"}:`, types, ";"));
  });
  return `${documentation([description])}${heading}\n${lines.join("")}}\n`;
}

function bodyInterface(name: string, { body, httpMethod }: Operation): string {
  const isChange = httpMethod !== "POST";
  const changeSentence = isChange ? "Fields to change: an absent field is unchanged, null clears it." : "";
  const lines = body.map((field) => {
    const types = [...members(field.type, true), ...(field.isNullable ? ["null"] : [])];
    const allTypes = field.isRequired ? types : [...types, "undefined"];
    return member(field, union(`  ${field.name}${field.isRequired ? "" : "?"}:`, allTypes, ";"));
  });
  return `${documentation([changeSentence])}export interface ${name} {\n${lines.join("")}}\n`;
}

function queryInterface(operation: Operation): string {
  const lines = optional(operation.queryParameters).map((parameter) =>
    member(parameter, union(`  ${parameter.name}?:`, [...members(parameter.type, true), "null", "undefined"], ";")),
  );
  if (operation.result.kind === "pages")
    lines.push("  /** Limits the items of all pages together. */\n  maxItems?: number | undefined;\n");
  return `export interface ${queryName(operation)} {\n${lines.join("")}}\n`;
}

const member = (value: Field | Parameter, text: string): string =>
  `${documentation(descriptionOf(value), "  ")}${text}\n`;

function descriptionOf(value: Field | Parameter): string[] {
  const { description } = value;
  if (!("default" in value || "minimum" in value || "maximum" in value)) return [description];
  const { default: defaultValue, minimum, maximum } = value;
  const limit = maximum === undefined || maximum >= 2 ** 31 - 1 || maximum > 1e6 ? "" : ` to ${maximum}`;
  const range = limit === "" || minimum === undefined ? "" : `${minimum}${limit}`;
  const facts = [range, defaultValue === undefined ? "" : `default ${String(defaultValue)}`]
    .filter((fact) => fact !== "")
    .join(", ");
  const sentence = facts === "" ? "" : `${facts.charAt(0).toUpperCase()}${facts.slice(1)}.`;
  return [description, sentence];
}

/** A union of events that TypeScript narrows by `type`. */
function events(eventTypes: EventType[]): string {
  const each = eventTypes.map(
    ({ type, name, data, description }) =>
      `${documentation([description])}export type ${name} = EventOf<${JSON.stringify(type)}, ${data}>;\n`,
  );
  const names = [...eventTypes.map(({ name }) => name), "UnknownEvent"];
  return `interface EventOf<Type extends string, Data> {
  /** The same for every delivery of the event: recognise duplicates by it. */
  id: string;
  /** Unix time in seconds. */
  created: number;
  type: Type;
  data: Data;
}

${each.join("\n")}
/**
 * An event of a type that is newer than this version of the client: the \`default\` of a \`switch\` over \`type\`. The
 * text below stands for its \`type\`, so that TypeScript narrows the known types.
 */
export type UnknownEvent = EventOf<"(newer than this client)", unknown>;

${union("export type WebhookEvent =", names, ";")}
`;
}
