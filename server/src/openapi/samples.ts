import type { JsonObject } from "@beatmarket/http/openapi/schemas.ts";
import type { ClientRoute } from "@beatmarket/http/pipeline/api-route.ts";
import type { Connection, Json, Scalar } from "../../../contract/snippets/call.ts";
import { installLine } from "../../../contract/snippets/install.ts";
import { keyVariable } from "../../../contract/snippets/key-variable.ts";
import { type Language, languageLabels } from "../../../contract/snippets/language.ts";
import { snippetFor } from "../../../contract/snippets/snippets.ts";

/**
 * How samples reach a service. `caFile` is the path of the service's own CA certificate on the caller's machine;
 * undefined without one.
 */
export const connectionTo = (publicUrl: string, caFile: string | undefined): Connection => ({
  baseUrl: `${publicUrl}/v1`,
  keyVariable,
  caFile,
});

/** An operation's example call in each language (`x-codeSamples`), with the command that installs its library. */
export function codeSamples({ operationId, path, examples }: ClientRoute, connection: Connection): JsonObject[] {
  const { parameters = {}, headers = {}, body } = examples.success;
  const isInPath = (name: string): boolean => path.split("/").includes(`:${name}`);
  const parametersIn = (inPath: boolean): Record<string, Scalar> =>
    Object.fromEntries(Object.entries(parameters).filter(([name]) => isInPath(name) === inPath));
  const call = {
    operationId,
    parameters: parametersIn(true),
    query: parametersIn(false),
    body: body as Json | undefined,
    idempotencyKey: headers["idempotency-key"],
  };
  return (Object.keys(languageLabels) as Language[]).map((language) => ({
    lang: language === "curl" ? "shell" : language,
    label: languageLabels[language],
    source: snippetFor(language, call, connection),
    ...(language !== "curl" && { "x-install": installLine(language, connection) }),
  }));
}
