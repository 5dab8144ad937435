import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Permission } from "../../../src/access/roles.ts";
import { closedObjects } from "./closed-objects.ts";

/** An operation of contract/openapi.json, with the parts that tests need for requests and for checks of responses. */
export interface Operation {
  operationId: string;
  parameters: { name: string; in: "path" | "query" | "header"; required: boolean; schema: JsonSchema }[];
  /** The only content type of the body: JSON, or a part of a file. */
  requestBody?: {
    required: boolean;
    content: { "application/json": { schema: JsonSchema }; [type: string]: { schema: JsonSchema } };
  };
  responses: Record<string, DocumentedResponse>;
  /** Absent if the operation needs no key, or if any test key suffices. */
  "x-permission"?: Permission;
  /** Whether the operation accepts only test keys. */
  "x-test-mode"?: true;
}

export interface DocumentedResponse {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, unknown>;
}

/** The parts of JSON Schema that the document's parameters and bodies use. */
export interface JsonSchema {
  $ref?: string;
  type?: string;
  enum?: readonly string[];
  const?: string;
  anyOf?: readonly JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
  pattern?: string;
}

/** An operation with its path and method. */
export interface PlacedOperation extends Operation {
  method: string;
  /** A path such as `/beats/{beat_id}`. */
  path: string;
}

/** The committed contract/openapi.json. */
export const apiDocument = JSON.parse(
  readFileSync(new URL("../../../../contract/openapi.json", import.meta.url), "utf8"),
) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, DocumentedResponse> };
};

export const apiOperations: readonly PlacedOperation[] = Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(closedObjects(apiDocument), "openapi");
const validators = new Map<string, ValidateFunction>();

/** Headers of HTTP and of every response of the service (docs/api/conventions.md), which no operation documents. */
const commonHeaders = new Set([
  ...[
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "keep-alive",
    "link",
  ],
  ...["strict-transport-security", "transfer-encoding", "vary", "x-content-type-options", "x-request-id"],
]);

/** The headers of a response that the document does not list for the operation and status. */
export function undocumentedHeaders(operationId: string, received: { statusCode: number; headers: object }): string[] {
  const operation = apiOperations.find((candidate) => candidate.operationId === operationId);
  const response = operation?.responses[String(received.statusCode)];
  const shared =
    response?.$ref === undefined ? undefined : apiDocument.components.responses[response.$ref.split("/").at(-1) ?? ""];
  const documentedNames = new Set(Object.keys((shared ?? response)?.headers ?? {}).map((name) => name.toLowerCase()));
  return Object.keys(received.headers).filter((name) => !commonHeaders.has(name) && !documentedNames.has(name));
}

/**
 * The difference between a response and the document's promise; null for none. `sentMethod` is the request's actual
 * method if a header overrides it.
 */
export function unpromised(
  operationId: string,
  received: { statusCode: number; headers: object; body: string },
  sentMethod?: string,
): string | null {
  const operation = apiOperations.find((operation) => operation.operationId === operationId);
  if (operation === undefined) return `The document has no operation ${operationId}.`;
  const status = String(received.statusCode);
  const response = operation.responses[status];
  if (response === undefined) return `${operationId} answered ${status}, which the document does not have.`;
  const undocumented = undocumentedHeaders(operationId, received);
  if (undocumented.length > 0)
    return `${operationId} answered ${status} with headers that the document does not have: ${undocumented.join(", ")}.`;
  if (status === "304") return received.body === "" ? null : `${operationId} answered 304 with a body.`;
  // A response that is documented without content has no body. Neither has a response to HEAD.
  if ((sentMethod ?? operation.method) === "HEAD" || (response.$ref === undefined && response.content === undefined))
    return received.body === "" ? null : `${operationId} answered ${status} with a body.`;
  const { "content-type": contentType = "" } = received.headers as Record<string, string>;
  const type = contentType.split(";")[0] ?? "";
  // A file has no schema.
  if (!type.endsWith("json"))
    return response.content?.[type] === undefined ? `${operationId} answered ${status} as ${type || "nothing"}.` : null;
  const path = operation.path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D");
  const responsePointer = `#/paths/${path}/${operation.method.toLowerCase()}/responses/${status}`;
  const pointer = `openapi${response.$ref ?? responsePointer}/content/${type.replaceAll("/", "~1")}/schema`;
  try {
    let validate = validators.get(pointer);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: pointer });
      validators.set(pointer, validate);
    }
    if (validate(JSON.parse(received.body))) return null;
    return `${operationId} answered ${status} with ${ajv.errorsText(validate.errors)}: ${received.body.slice(0, 500)}`;
  } catch (error) {
    return `${operationId} answered ${status} as ${type || "nothing"}: ${(error as Error).message}`;
  }
}
