import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { closedObjects } from "./closed-objects.ts";

// Compares contract/portal-openapi.json, from which the web app's types are generated, with the actual responses of the
// routes.

interface Operation {
  operationId: string;
  responses: Record<string, { $ref?: string; content?: unknown }>;
}

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../contract/portal-openapi.json"), "utf8"),
) as {
  paths: Record<string, Record<string, Operation>>;
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(closedObjects(document), "portal");

/** Asserts that the document promises this response. A call of a route that is not in the document must be refused. */
export function expectDocumented(
  method: string,
  url: string,
  received: { statusCode: number; headers: Record<string, unknown>; body: string },
): void {
  const path = Object.keys(document.paths).find((template) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(url.split("?")[0] ?? ""),
  );
  const operation = path === undefined ? undefined : document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined || path === undefined) {
    expect([403, 404, 405]).toContain(received.statusCode);
    return;
  }
  const status = String(received.statusCode);
  const failureMessage = `${operation.operationId} answered ${status}: ${received.body.slice(0, 300)}`;
  expect(Object.keys(operation.responses), failureMessage).toContain(status);
  const response = operation.responses[status];
  if (response?.content === undefined && response?.$ref === undefined) {
    expect(received.body, failureMessage).toBe("");
    return;
  }
  const responsePointer = `#/paths/${path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")}/${method.toLowerCase()}/responses/${status}`;
  const validate = ajv.compile({ $ref: `portal${response.$ref ?? responsePointer}/content/application~1json/schema` });
  expect(validate(JSON.parse(received.body)), `${failureMessage} ${JSON.stringify(validate.errors)}`).toBe(true);
}
