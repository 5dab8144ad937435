import {
  type Document,
  type DocumentedOperation,
  type DocumentedParameter,
  referencedName,
  type Schema,
} from "./document.ts";
import type { Schemas } from "./schemas.ts";
import type { Field, Operation, Parameter, Result } from "./types.ts";

/** The operations that are methods of the client libraries. */
export function operationsOf({ paths, components }: Document, schemas: Schemas): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([httpMethod, operation]) => {
      const client = operation["x-client-method"];
      return client === undefined ? [] : [operationOf(path, httpMethod, client, operation, components, schemas)];
    }),
  );
}

function operationOf(
  path: string,
  httpMethod: string,
  client: string,
  operation: DocumentedOperation,
  components: Document["components"],
  schemas: Schemas,
): Operation {
  const { operationId: id, parameters, summary, description } = operation;
  const [resource, method] = client.includes(".") ? client.split(".") : [null, client];
  const result = resultOf(operation, schemas);
  const hasHeader = (name: string) =>
    parameters.some((parameter) => parameter.in === "header" && parameter.name === name);
  const parametersIn = (place: DocumentedParameter["in"]) => parameters.filter((parameter) => parameter.in === place);
  // Clients follow next_page_url, which contains this token.
  const query = parametersIn("query").filter(({ name }) => !(result.kind === "pages" && name === "after"));
  const body = operation.requestBody?.content["application/json"]?.schema;
  const bodyName = body === undefined ? null : referencedName(body);
  return {
    id,
    httpMethod: httpMethod.toUpperCase() as Operation["httpMethod"],
    path,
    resource: resource ?? null,
    method: method ?? "",
    summary,
    description: description.replace(/\n\n(?:Permission: |No API key|Any test key).*$/s, ""),
    permission: operation["x-permission"] ?? null,
    isOfTestMode: operation["x-test-mode"] === true,
    pathParameters: parametersIn("path").map((parameter) => parameterOf(parameter, id, schemas)),
    queryParameters: query
      .map((parameter) => parameterOf(parameter, id, schemas))
      .sort((one, other) => Number(other.isRequired) - Number(one.isRequired)),
    body: bodyName === null ? [] : schemas.fields(components.schemas[bodyName] ?? {}, bodyName),
    bodyName,
    isIdempotent: hasHeader("Idempotency-Key"),
    isConditional: hasHeader("If-Match"),
    result,
  };
}

function parameterOf(parameter: DocumentedParameter, operationId: string, schemas: Schemas): Parameter {
  const { name, schema, required, description = "" } = parameter;
  const { default: defaultValue, minimum, maximum } = schema;
  return {
    name,
    type: schemas.type(schema, `${operationId}.query.${name}`),
    isRequired: required === true,
    // Clients accept lists.
    description: schema.type === "array" ? description.replace(/[,;] separated by commas/, "") : description,
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

function resultOf({ operationId, responses }: DocumentedOperation, schemas: Schemas): Result {
  const [status = "", response] = Object.entries(responses).find(([name]) => name.startsWith("2")) ?? [];
  const schema = response?.content?.["application/json"]?.schema;
  if (schema === undefined) return { kind: status === "204" ? "none" : "file" };
  const data = schema.properties?.data ?? {};
  const reference = referencedName(data);
  if (reference !== null) return { kind: "data", model: modelOf(data, operationId, schemas) };
  const entries = Object.entries(data.properties ?? {});
  const lists = entries
    .filter(([name, { items }]) => data.required?.includes(name) === true && items !== undefined)
    .map(([key, { items }]) => ({ key, model: modelOf(items as Schema, operationId, schemas) }));
  if ("pagination" in (data.properties ?? {})) {
    modelOf(data.properties?.pagination ?? {}, operationId, schemas);
    const isExtra = ({ name }: Field) => name !== "pagination" && !lists.some(({ key }) => key === name);
    const extras = Object.fromEntries(entries.filter(([name]) => isExtra({ name } as Field)));
    return { kind: "pages", items: lists, extras: schemas.fields({ ...data, properties: extras }, operationId) };
  }
  const [list] = lists;
  if (list !== undefined) return { kind: "next" in (data.properties ?? {}) ? "positions" : "array", ...list };
  const [firstEntry] = entries;
  if (firstEntry === undefined) throw new Error(`${operationId} has a response without data.`);
  return { kind: "object", key: firstEntry[0], model: modelOf(firstEntry[1], operationId, schemas) };
}

function modelOf(schema: Schema, operationId: string, schemas: Schemas): string {
  const type = schemas.type(schema, operationId);
  if (type.kind !== "model") throw new Error(`${operationId} returns a ${type.kind}, for which clients have no model.`);
  return type.name;
}
