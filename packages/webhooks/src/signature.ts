import { createHmac, randomBytes as systemBytes } from "node:crypto";
import type { EventRules } from "./event-rules.ts";
import { isTestEventId } from "./events/event-ids.ts";

const prefix = "whsec_";
const secretBytes = 32;

/** The clock tolerance of Standard Webhooks verifiers. */
export const toleranceSeconds = 300;

/** A new signing secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export const newSecret = (randomBytes: EventRules["randomBytes"] = systemBytes): string =>
  prefix + randomBytes(secretBytes).toString("base64");

/** The parts of a request that are signed. */
export interface SignedMessage {
  /** The event's id, the same for every attempt. */
  id: string;
  /** The time of the attempt, in Unix seconds. */
  timestampSeconds: number;
  /** The exact bytes of the request body. */
  body: Buffer;
}

/**
 * The signature headers of both schemes (docs/api/events.md, Signatures). `X-Webhook-Signature` is keyed with the whole
 * secret as displayed, including `whsec_`. The `webhook-` headers are Standard Webhooks, keyed with the decoded base64.
 * A previous secret that still signs adds `X-Webhook-Signature-Previous` and an entry in `webhook-signature`.
 */
export function signatureHeaders(
  { id, timestampSeconds, body }: SignedMessage,
  secrets: readonly [current: string, previous?: string],
): Record<string, string> {
  const [current, previous] = secrets;
  const standard = secrets
    .filter((secret) => secret !== undefined)
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), "base64");
      const signature = createHmac("sha256", key).update(`${id}.${timestampSeconds}.`).update(body).digest("base64");
      return `v1,${signature}`;
    });
  return {
    "X-Webhook-Signature": bodySignature(body, current),
    ...(previous !== undefined && { "X-Webhook-Signature-Previous": bodySignature(body, previous) }),
    "webhook-id": id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": standard.join(" "),
  };
}

/**
 * The headers of a delivery that are not signed: the program's headers, and the mark of a test event. `version` is the
 * API version of the endpoint.
 */
export const unsignedHeaders = (
  eventId: string,
  version: string,
  { headersOf }: Pick<EventRules, "headersOf">,
): Record<string, string> => ({
  ...headersOf(version),
  ...(isTestEventId(eventId) && { "X-Webhook-Test": "true" }),
});

/** The value of X-Webhook-Signature: HMAC-SHA256 of the body, as lower-case hex. */
export const bodySignature = (body: Buffer, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("hex");
