import { type Document, referencedName } from "./document.ts";
import { fileMethodsOf } from "./files.ts";
import { errorsByCode, resources } from "./names.ts";
import { operationsOf } from "./operations.ts";
import { Schemas } from "./schemas.ts";
import type { ClientInterface, ErrorCode, EventType, Fixtures, Operation, Resource } from "./types.ts";

/**
 * Derives the interface of the client libraries from an OpenAPI document. Throws an Error that names what clients
 * cannot express.
 */
export function clientInterface(document: Document): ClientInterface {
  const schemas = new Schemas(document.components.schemas);
  const operations = operationsOf(document, schemas);
  const eventTypes = eventTypesOf(document, schemas);
  return {
    enums: schemas.enums,
    models: schemas.models,
    resources: resourcesOf(operations),
    operations,
    fileMethods: fileMethodsOf(document),
    eventTypes,
    errorCodes: errorCodesOf(document),
    fixtures: fixturesOf(document, operations),
  };
}

function resourcesOf(operations: Operation[]): Resource[] {
  const usedResources = new Set(operations.flatMap(({ resource }) => resource ?? []));
  return [...usedResources].map((name) => {
    const description = resources[name];
    if (description === undefined) throw new Error(`Say what ${name} are in clients/generator/interface/names.ts.`);
    return { name, description };
  });
}

function eventTypesOf({ components }: Document, schemas: Schemas): EventType[] {
  return Object.entries(components.pathItems).map(([type, { post }]) => {
    const schema = post.requestBody.content["application/json"]?.schema ?? {};
    const name = referencedName(schema) ?? "";
    const data = components.schemas[name]?.properties?.data ?? {};
    const model = schemas.type(data, `${name}.data`);
    if (model.kind !== "model")
      throw new Error(`The data of ${type} is a ${model.kind}, for which clients have no model.`);
    return { type, name, data: model.name, description: post.summary };
  });
}

function fixturesOf({ paths, components }: Document, operations: Operation[]): Fixtures {
  const ids = new Set(operations.map(({ id }) => id));
  const documentedOperations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const responses = documentedOperations.flatMap(({ operationId, responses }) => {
    const [, response] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
    const example = response?.content?.["application/json"]?.example;
    return ids.has(operationId) && example !== undefined ? [[operationId, example]] : [];
  });
  const events = Object.entries(components.pathItems).map(([type, { post }]) => [
    type,
    post.requestBody.content["application/json"]?.example,
  ]);
  return { responses: Object.fromEntries(responses), events: Object.fromEntries(events) };
}

function errorCodesOf({ components }: Document): ErrorCode[] {
  const codes = components.schemas.ErrorResponse?.properties?.error?.properties?.code?.enum ?? [];
  return codes.map((code) => {
    const error = errorsByCode[code];
    if (error === undefined)
      throw new Error(`Name the error class of the code ${code} in clients/generator/interface/names.ts.`);
    return { code, error };
  });
}
