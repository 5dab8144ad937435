import type { HeaderDescription, ProtocolRoute } from "../pipeline/api-route.ts";
import { errorContent, protocolErrors, ref } from "./responses.ts";
import type { JsonObject } from "./schemas.ts";

const binary = { schema: { type: "string", format: "binary" } };

/** The header parameters of an operation that follows a protocol. */
export const protocolHeaders = ({ protocol }: ProtocolRoute): JsonObject[] =>
  Object.entries(protocol.requestHeaders).map(([name, { schema, required = false }]: [string, HeaderDescription]) => {
    const { description, ...its } = schema as JsonObject;
    return { name, in: "header", required, ...(description !== undefined && { description }), schema: its };
  });

/** The body that an operation reads as it arrives. */
export function protocolBody({ protocol }: ProtocolRoute): JsonObject {
  const { requestBody } = protocol;
  if (requestBody === undefined) return {};
  return { requestBody: { required: requestBody.required, content: { [requestBody.contentType]: binary } } };
}

/** Every response of an operation that follows a protocol. Its successes have no body. */
export function protocolResponses({ protocol, method }: ProtocolRoute): JsonObject {
  const own = Object.entries(protocol.responses).map(([status, { description, headers = {} }]) => [
    status,
    {
      description,
      headers: {
        "X-Request-Id": ref("X-Request-Id"),
        ...Object.fromEntries(
          Object.entries(headers).map(([name, schema]) => {
            const { description: text, ...its } = schema as JsonObject;
            return [name, { ...(text !== undefined && { description: text }), schema: its }];
          }),
        ),
      },
      // RFC 9110 9.3.2: no response to HEAD has a body.
      ...(Number(status) >= 400 && method !== "HEAD" && { content: errorContent(undefined) }),
    },
  ]);
  return { ...protocolErrors(), ...Object.fromEntries(own) };
}
