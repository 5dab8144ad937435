import type { ClientInterface, Field, Operation, Parameter, Type } from "../interface/types.ts";
import { comment, goName, notice, structure, typeName } from "./text.ts";

/** The parameters and bodies of requests, and the models that occur only in bodies. */
export function requests(api: ClientInterface): string {
  const bodies = new Map(
    api.operations.flatMap((operation) =>
      operation.bodyName === null ? [] : [[operation.bodyName, operation] as const],
    ),
  );
  const nestedTypes = [...namesInBodies(api)].map((name) => {
    const { description = "", fields = [] } = api.models.find((model) => model.name === name) ?? {};
    const ownName = requestName(name, api);
    return structure(
      ownName,
      [`${ownName}: ${description}`],
      fields.map((field) => bodyMember(field, api)),
    );
  });
  return [
    `${notice}\npackage beatmarket\n`,
    ...api.operations.filter(hasParams).map(paramsOf),
    ...[...bodies].map(([name, { httpMethod, summary, body }]) => {
      const changeSentence = httpMethod === "POST" ? "" : " An absent field is unchanged, and Null clears it.";
      return structure(
        name,
        [`${name} is the body of: ${summary}.${changeSentence}`],
        body.map((field) => bodyMember(field, api)),
      );
    }),
    ...nestedTypes,
  ].join("\n");
}

/** The types of request fields by API name, for the generator of code samples. */
export function requestTypes(api: ClientInterface): string {
  const params = api.operations.filter(hasParams);
  const bodies = api.operations.filter(({ bodyName }) => bodyName !== null);
  const typesOf = (fields: readonly Field[]): Record<string, string> =>
    Object.fromEntries(
      fields.map(({ name, type, isRequired }) => {
        const ownType = bodyType(type, api);
        return [name, isRequired ? ownType : `Opt[${ownType}]`];
      }),
    );
  const structures = {
    ...Object.fromEntries(
      params.map((operation) => [
        paramsName(operation),
        Object.fromEntries(optional(operation).map(({ name, type }) => [name, paramType(type)])),
      ]),
    ),
    ...Object.fromEntries(bodies.map(({ bodyName, body }) => [bodyName, typesOf(body)])),
    ...Object.fromEntries(
      [...namesInBodies(api)].map((name) => [
        requestName(name, api),
        typesOf(api.models.find((model) => model.name === name)?.fields ?? []),
      ]),
    ),
  };
  const methods = Object.fromEntries(
    api.operations.map((operation) => [
      operation.id,
      {
        ...(hasParams(operation) && { params: paramsName(operation) }),
        ...(operation.bodyName !== null && { body: operation.bodyName }),
      },
    ]),
  );
  return `${JSON.stringify({ methods, structures }, null, 1)}\n`;
}

export const optional = ({ queryParameters }: Operation): Parameter[] =>
  queryParameters.filter(({ isRequired }) => !isRequired);

export const hasParams = (operation: Operation): boolean =>
  operation.result.kind !== "file" && optional(operation).length > 0;

export const paramsName = ({ id }: Operation): string => `${goName(id)}Params`;

/** Whether a model occurs only in requests. */
export const isRequestModel = (name: string, api: ClientInterface): boolean =>
  namesInBodies(api).has(name) && !namesInResponses(api).has(name);

/**
 * The name of a model in bodies. A model that responses also have needs a second type, because a field of a body can be
 * absent or null.
 */
const requestName = (name: string, api: ClientInterface): string =>
  namesInResponses(api).has(name) ? `New${name}` : name;

function paramsOf(operation: Operation): string {
  const lines = optional(operation).map((parameter) => {
    const tag = `\`query:"${parameter.name}"\``;
    return `${comment(describe(parameter), "\t")}\t${goName(parameter.name)} ${paramType(parameter.type)} ${tag}\n`;
  });
  if (operation.result.kind === "pages")
    lines.push("\t// MaxItems limits the items of all pages together.\n\tMaxItems Opt[int]\n");
  const name = paramsName(operation);
  return structure(
    name,
    [`${name} has the optional parameters of: ${operation.summary}. A field with its zero value is not sent.`],
    lines,
  );
}

/**
 * The type of a parameter. Empty texts and lists are omitted from the request. The zero value of a number or boolean
 * can be sent, so it needs an option type.
 */
const paramType = (type: Type): string =>
  ["integer", "number", "boolean"].includes(type.kind) ? `Opt[${typeName(type)}]` : typeName(type);

function describe({ description, default: defaultValue, minimum, maximum }: Parameter): string[] {
  const range = minimum === undefined || maximum === undefined || maximum > 1e6 ? "" : `${minimum} to ${maximum}`;
  const facts = [range, defaultValue === undefined ? "" : `default ${String(defaultValue)}`].filter(Boolean).join(", ");
  return [description, facts === "" ? "" : `${facts.charAt(0).toUpperCase()}${facts.slice(1)}.`];
}

function bodyMember(field: Field, api: ClientInterface): string {
  const { name, type, isRequired, description } = field;
  const ownType = bodyType(type, api);
  const tag = isRequired ? name : `${name},omitzero`;
  return `${comment([description], "\t")}\t${goName(name)} ${isRequired ? ownType : `Opt[${ownType}]`} \`json:"${tag}"\`\n`;
}

function bodyType(type: Type, api: ClientInterface): string {
  if (type.kind === "model") return requestName(type.name, api);
  if (type.kind === "list") return `[]${bodyType(type.items, api)}`;
  return type.kind === "union" ? "any" : typeName(type);
}

function namesInBodies({ operations, models }: ClientInterface): Set<string> {
  return reachable(
    operations.flatMap(({ body }) => body.map(({ type }) => type)),
    models,
  );
}

function namesInResponses({ operations, models, eventTypes }: ClientInterface): Set<string> {
  const modelType = (name: string): Type => ({ kind: "model", name });
  const types = operations.flatMap(({ result }): Type[] => {
    if (result.kind === "none" || result.kind === "file") return [];
    if (result.kind !== "pages") return [modelType(result.model)];
    return [
      modelType("Pagination"),
      ...result.items.map(({ model }) => modelType(model)),
      ...result.extras.map(({ type }) => type),
    ];
  });
  return reachable([...types, ...eventTypes.map(({ data }) => modelType(data))], models);
}

/** The names of all models in these types, including nested ones. */
function reachable(types: Type[], models: ClientInterface["models"]): Set<string> {
  const names = new Set<string>();
  const pending = [...types];
  for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
    if (type.kind === "list") pending.push(type.items);
    else if (type.kind === "union") pending.push(...type.members);
    else if (type.kind === "model" && !names.has(type.name)) {
      const { name } = type;
      names.add(name);
      pending.push(...(models.find((model) => model.name === name)?.fields ?? []).map((field) => field.type));
    }
  }
  return names;
}
