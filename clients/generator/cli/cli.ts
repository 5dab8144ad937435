import type { Emitter } from "../emitter.ts";
import type { ClientInterface, Enum, Field, Operation, Parameter, Result, Type } from "../interface/types.ts";
import { json } from "../json.ts";

const folder = "cli/src/generated/";

/** The command line's table of operations: commands, flags and help. */
export const cli: Emitter = {
  folders: [folder],
  files: (api) => [
    {
      path: `${folder}operations.json`,
      text: json({
        $comment: "Generated from contract/openapi.json by npm run contract; do not edit.",
        resources: api.resources.map(({ name, description }) => ({ name: kebab(name), description })),
        operations: api.operations.map((operation) => describeCommand(operation, api)),
        eventTypes: api.eventTypes.map(({ type, description }) => ({ type, description })),
      }),
    },
  ],
};

const describeCommand = (operation: Operation, { enums }: ClientInterface) => ({
  id: operation.id,
  command: [...(operation.resource === null ? [] : [kebab(operation.resource)]), kebab(operation.method)],
  method: operation.httpMethod,
  path: operation.path,
  summary: operation.summary,
  description: operation.description.replaceAll("\n", " "),
  permission: operation.permission,
  ...(operation.isOfTestMode && { isOfTestMode: true }),
  ids: operation.pathParameters.map((parameter) => describeValue(parameter, enums)),
  query: operation.queryParameters.map((parameter) => describeValue(parameter, enums)),
  body: operation.body.map((field) => describeValue(field, enums)),
  isIdempotent: operation.isIdempotent,
  isConditional: operation.isConditional,
  result: { kind: operation.result.kind, keys: keysOf(operation.result) },
});

/** A parameter or field in the form of the table. */
const describeValue = (parameter: Parameter | Field, enums: Enum[]) => ({
  name: parameter.name,
  ...flagType(parameter.type, enums),
  isRequired: parameter.isRequired,
  ...("isNullable" in parameter && parameter.isNullable && { isNullable: true }),
  description: parameter.description.replaceAll("\n", " "),
  ...("default" in parameter && parameter.default !== undefined && { default: String(parameter.default) }),
});

/** The type of a value that a shell can pass: one value, a list of values, or JSON. A word is a number or a text. */
function flagType(type: Type, enums: Enum[]): { type: string; isList?: true; values?: string[] } {
  switch (type.kind) {
    case "integer":
    case "number":
    case "boolean":
      return { type: type.kind };
    case "string":
    case "url":
    case "timestamp":
      return { type: "string" };
    case "enum":
      return { type: "string", values: enums.find(({ name }) => name === type.name)?.values ?? [] };
    case "list": {
      const items = flagType(type.items, enums);
      return items.type === "json" || items.isList === true ? { type: "json" } : { ...items, isList: true };
    }
    case "union":
      return { type: type.members.every(isWord) ? "word" : "json" };
    case "any":
    case "model":
    case "map":
      return { type: "json" };
  }
}

/** Whether a type is a number or a text, such as `3` or `Ambient`. */
const isWord = ({ kind }: Type): boolean => ["integer", "number", "string"].includes(kind);

function keysOf(result: Result): string[] {
  switch (result.kind) {
    case "object":
    case "array":
    case "positions":
      return [result.key];
    case "pages":
      return result.items.map(({ key }) => key);
    case "data":
    case "file":
    case "none":
      return [];
  }
}

const kebab = (name: string): string => name.replaceAll("_", "-");
