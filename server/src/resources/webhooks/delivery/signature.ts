import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";
const secretBytes = 32;

/** Older or newer than this is refused by verifiers of Standard Webhooks. */
export const toleranceSeconds = 300;

/** A new signing secret: `whsec_` and the base64 of 32 random bytes, as Standard Webhooks has it. */
export const newSecret = (): string => prefix + randomBytes(secretBytes).toString("base64");

/** A request to be signed. */
export interface SignedMessage {
  /** The event's id, the same for every attempt. */
  id: string;
  /** When this attempt is made, Unix seconds. */
  timestampSeconds: number;
  /** The bytes that are sent. */
  body: Buffer;
}

/**
 * The headers that let a receiver check a delivery, two schemes beside each other (DESIGN section 2, webhook headers):
 * `X-Webhook-Signature` is contract 6.3, keyed with the whole secret as shown, `whsec_` included; the three `webhook-`
 * headers are Standard Webhooks, keyed with the bytes its base64 stands for. While a rotated secret still signs, its
 * signature stands in `X-Webhook-Signature-Previous` and in the Standard Webhooks list.
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

/** Contract 6.3: lower-case hex HMAC-SHA256 of the body under the secret. */
export const bodySignature = (body: Buffer, secret: string): string =>
  createHmac("sha256", secret).update(body).digest("hex");
