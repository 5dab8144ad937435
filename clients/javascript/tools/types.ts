import { readFile } from "node:fs/promises";
import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: object;
}

interface Responses {
  "200": { content: { "application/json": { schema: { properties: { data: object } } } } };
}

/** What src/contract.ts holds: the types of what the client sends and gets, in the reference form. */
export async function contractTypes(): Promise<string> {
  const text = await readFile(new URL("../../../contract/openapi.json", import.meta.url), "utf8");
  const document = JSON.parse(text, (_, value) => withoutWidth(value));
  const models = Object.entries(document.components.schemas).filter(
    ([name]) => !/^(Console|ErrorResponse$)|Event$/.test(name),
  );
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods as object));
  const queries = operations.flatMap((operation) => queryOf(operation));
  const results = ["listBeats", "search"].map((id) =>
    resultOf(operations.find(({ operationId }) => operationId === id)),
  );
  const reduced = {
    openapi: document.openapi,
    info: document.info,
    paths: {},
    components: { schemas: Object.fromEntries([...models, ...queries, ...results]) },
  };
  const nodes = await openapiTypescript(reduced as unknown as OpenAPI3, { defaultNonNullable: false });
  const source = astToString(nodes);
  const start = source.indexOf("export interface components");
  const end = source.indexOf("    responses: never;");
  return `// Made from contract/openapi.json by npm run contract; do not edit.\n\n${source.slice(start, end)}}\n`;
}

/** JavaScript has numbers of one width. */
function withoutWidth(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("format" in value)) return value;
  const { format, ...rest } = value;
  return ["int32", "int64", "double"].includes(String(format)) ? rest : value;
}

/** The query parameters of an operation as an object type, without the opaque token of a list with pages. */
function queryOf({ operationId, parameters }: { operationId: string; parameters: Parameter[] }): [string, object][] {
  const hasPages = parameters.some(({ name }) => name === "page");
  const its = parameters.filter(({ in: place, name }) => place === "query" && !(hasPages && name === "after"));
  if (its.length === 0) return [];
  const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Query`;
  const properties = its.map((parameter) => [
    parameter.name,
    { ...parameter.schema, description: parameter.description },
  ]);
  const required = its.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  return [[name, { type: "object", required, properties: Object.fromEntries(properties) }]];
}

/** The `data` of a response that has more than resources and their pagination. */
function resultOf({ operationId, responses }: { operationId: string; responses: Responses }): [string, object] {
  const { data } = responses["200"].content["application/json"].schema.properties;
  return [`${operationId[0]?.toUpperCase()}${operationId.slice(1)}Result`, data];
}
