import type { JsonObject } from "@beatmarket/http/openapi/schemas.ts";
import Type, { type TSchema } from "typebox";
import { type ApiVersion, firstVersion, versionDates } from "../access/versions.ts";

/** An event type, for the document's `webhooks`. */
export interface DocumentedEvent {
  type: string;
  /** When the event is sent. */
  summary: string;
  /** The accounts that receive it. */
  audience: string;
  /** Schema of `data`. */
  data: TSchema;
}

const hex = { type: "string", pattern: "^[0-9a-f]{64}$" };
const base64List = { type: "string", pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$" };

/** A sentence that names the version of a document. */
export const describedVersion = ({ date }: ApiVersion): string =>
  `This document describes ${date === firstVersion.date ? "the first one" : date}.`;

/** The headers of a delivery (docs/api/events.md, Signatures). */
const parametersIn = (version: ApiVersion) => [
  header(
    "X-Webhook-Signature",
    hex,
    "The HMAC-SHA256 of the raw body in lower-case hexadecimal, keyed with the endpoint's secret.",
  ),
  header("X-Webhook-Signature-Previous", hex, "The same with the former secret, until its period ends.", false),
  header(
    "X-Webhook-Test",
    { type: "string", const: "true" },
    "Only on test events, whose beat and accounts do not exist.",
    false,
  ),
  header(
    "Beat-Version",
    { type: "string", enum: [...versionDates] },
    `The dated version of the API that the body has: that of the endpoint. ${describedVersion(version)}`,
  ),
  header("webhook-id", { type: "string" }, "The event's id, the same at every attempt."),
  header("webhook-timestamp", { type: "string", pattern: "^\\d+$" }, "The time of this attempt in Unix seconds."),
  header(
    "webhook-signature",
    base64List,
    "The signature of Standard Webhooks: HMAC-SHA256 of id, timestamp and body in Base64.",
  ),
];

function header(name: string, schema: JsonObject, description: string, required = true): JsonObject {
  return { name, in: "header", required, description, schema };
}

/** The event's envelope and data, as its receivers get them (docs/api/events.md, Payload): `BeatCreatedEvent`. */
const eventSchema = ({ type, data }: DocumentedEvent): TSchema =>
  Type.Object(
    {
      id: Type.String({
        pattern: "^evt_",
        description: "The event's identifier. An event with the same id is a repetition.",
      }),
      created: Type.Integer({ description: "When it happened, in Unix seconds." }),
      type: Type.Literal(type),
      data,
    },
    { $id: `${capitalize(camelCase(type))}Event` },
  );

/** `beat.created` as `beatCreated`. */
const camelCase = (type: string): string => type.replace(/[._](.)/g, (_, letter: string) => letter.toUpperCase());

const capitalize = (name: string): string => name.replace(/^./, (letter) => letter.toUpperCase());

/** Describes the request that a receiver gets for an event type (docs/api/events.md, Payload). */
export function webhook(
  event: DocumentedEvent,
  example: unknown,
  hoist: (schema: TSchema) => JsonObject,
  version: ApiVersion,
): JsonObject {
  return {
    post: {
      operationId: camelCase(event.type),
      summary: event.summary,
      description: `Sent to ${event.audience}. Respond with 2xx within 15 seconds. After any other response the delivery is tried again, ten times over about three days.`,
      security: [],
      parameters: parametersIn(version),
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: hoist(eventSchema(event)), ...(example !== undefined && { example }) },
        },
      },
      responses: {
        "2XX": { description: "The event was received." },
        "410": { description: "The endpoint does not want any more events, and is disabled." },
        default: { description: "Any other response is a failure, redirects included." },
      },
    },
  };
}
