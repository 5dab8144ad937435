import type { JsonObject } from "@beatmarket/http/openapi/schemas.ts";
import type { HeaderDescription, ProtocolRoute } from "@beatmarket/http/pipeline/api-route.ts";
import type { TSchema } from "typebox";
import { errorContent, limitHeaders, protocolErrors, withoutLimits } from "./responses.ts";

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
export function protocolResponses({ protocol, method, hasOwnLimit }: ProtocolRoute): JsonObject {
  const everywhere = headerObjects(protocol.responseHeaders);
  const withAll = (headers: JsonObject): JsonObject => ({
    ...(hasOwnLimit === true ? withoutLimits : limitHeaders),
    ...headers,
    ...everywhere,
  });
  const own = Object.entries(protocol.responses).map(([status, { description, headers = {} }]) => [
    status,
    {
      description,
      headers: withAll(headerObjects(headers)),
      // RFC 9110 9.3.2: no response to HEAD has a body.
      ...(Number(status) >= 400 && method !== "HEAD" && { content: errorContent(undefined) }),
    },
  ]);
  return { ...protocolErrors(everywhere), ...Object.fromEntries(own) };
}

const headerObjects = (headers: Readonly<Record<string, TSchema>>): JsonObject =>
  Object.fromEntries(
    Object.entries(headers).map(([name, schema]) => {
      const { description, ...rest } = schema as JsonObject;
      return [name, { ...(description !== undefined && { description }), schema: rest }];
    }),
  );
