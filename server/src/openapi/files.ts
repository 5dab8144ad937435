import type { JsonObject } from "@beatmarket/http/openapi/schemas.ts";
import type { FileRoute } from "@beatmarket/http/pipeline/api-route.ts";
import { errorContent, errorResponses, ref, successHeaders, textHeader } from "./responses.ts";

/** Every response of an operation whose success is a file. Any Accept header will do. */
export function fileResponses(route: FileRoute, examples: Record<string, unknown>): JsonObject {
  const { contentType, headers, isResumable } = route.file;
  const { "406": _, ...errors } = errorResponses(route, examples);
  const content = { [contentType]: { schema: { type: "string", format: "binary" } } };
  const described = Object.fromEntries(
    Object.entries(headers).map(([name, schema]) => {
      const { description, ...its } = schema as JsonObject;
      return [name, { description, schema: its }];
    }),
  );
  if (isResumable !== true)
    return {
      "200": {
        description:
          "The whole file. Without Content-Length and ETag where it is too large to be made before it is sent.",
        headers: { ...successHeaders, ETag: ref("ETag"), ...described },
        content,
      },
      ...errors,
      ...(route.method === "GET" && {
        "304": {
          description: "If-None-Match named the current ETag.",
          headers: { ...successHeaders, ETag: ref("ETag"), ...described },
        },
      }),
    };
  const own = {
    "X-Request-Id": ref("X-Request-Id"),
    "X-Webhook-Notice": ref("X-Webhook-Notice"),
    ETag: ref("ETag"),
    ...described,
  };
  const range = textHeader("Which bytes these are, and of how many.");
  return {
    "200": {
      description: "The whole file. Without Content-Length while it is being made; Range is ignored then.",
      headers: own,
      content,
    },
    "206": { description: "The part that Range asks for.", headers: { ...own, "Content-Range": range }, content },
    ...errors,
    "304": { description: "If-None-Match named the current ETag.", headers: own },
    "416": {
      description: "The range begins behind the end of the file.",
      headers: { ...own, "Content-Range": range },
      content: errorContent(undefined),
    },
    "429": {
      description: "The key has taken one within the hour, or has too many downloads running.",
      headers: { "X-Request-Id": ref("X-Request-Id"), "Retry-After": ref("Retry-After") },
      content: errorContent(undefined),
    },
  };
}
