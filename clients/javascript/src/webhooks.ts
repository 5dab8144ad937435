import { BeatMarketError, SignatureVerificationError } from "./errors.ts";
import type { WebhookEvent } from "./models.ts";
import { isObject } from "./sender.ts";

/** Request headers: a fetch `Headers`, or Node's object. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The raw bytes of a request body. Text is encoded as UTF-8. */
export type RawBody = Uint8Array | ArrayBuffer | string;

const current = "x-webhook-signature";
const previous = "x-webhook-signature-previous";

/**
 * Verifies a webhook request by its headers and raw body, and returns the event. Rejects with a
 * SignatureVerificationError if the signature is invalid, and with a BeatMarketError for a missing or empty secret.
 */
export async function unwrap(
  body: RawBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): Promise<WebhookEvent> {
  const given = [headerOf(headers, current), headerOf(headers, previous)].filter((value) => value !== null);
  await verifyAny(body, given.length === 0 ? [null] : given, secrets);
  const event = parsed(typeof body === "string" ? body : new TextDecoder().decode(body));
  if (isObject(event) && typeof event.type === "string" && isObject(event.data))
    return event as unknown as WebhookEvent;
  throw new BeatMarketError("The request is genuine, but its body is no event.");
}

/**
 * Verifies the value of X-Webhook-Signature against the raw body. `secrets` is the endpoint's secret, or a list during
 * a rotation. Rejects as `unwrap` does.
 */
export async function verify(
  body: RawBody,
  signature: string | null | undefined,
  secrets: string | readonly string[],
): Promise<void> {
  await verifyAny(body, [signature ?? null], secrets);
}

/** Resolves if any of the signatures matches any of the secrets. */
async function verifyAny(
  body: RawBody,
  signatures: (string | null)[],
  secrets: string | readonly string[],
): Promise<void> {
  const keys = typeof secrets === "string" ? [secrets] : secrets;
  if (!Array.isArray(keys) || keys.length === 0 || keys.some((key) => typeof key !== "string" || key === ""))
    throw new BeatMarketError("The webhook secret is missing or empty: is its environment variable set?");
  const bytes = bytesOf(body);
  const wellFormed = signatures.filter((one) => one !== null && /^[0-9a-f]{64}$/.test(one)) as string[];
  if (wellFormed.length === 0)
    throw new SignatureVerificationError(
      signatures.every((one) => one === null || one === "")
        ? "The request has no X-Webhook-Signature: it is not from Beat Marketplace, or something on the way removed the header."
        : "The X-Webhook-Signature is not 64 lower-case hexadecimal digits: pass the header's value as it came.",
    );
  for (const secret of keys) {
    const key = await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode(secret),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["verify"],
    );
    // Constant-time comparison.
    for (const one of wellFormed) if (await crypto.subtle.verify("HMAC", key, hexBytes(one), bytes)) return;
  }
  throw new SignatureVerificationError(
    "The X-Webhook-Signature does not match. Pass the raw bytes of the body, before anything parses them, and the whole secret, whsec_ included.",
  );
}

function bytesOf(body: RawBody): Uint8Array<ArrayBuffer> | ArrayBuffer {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body);
  throw new SignatureVerificationError(
    "The body is not raw bytes but was parsed before, which loses what was signed: with Express use express.raw() on this route.",
  );
}

const hexBytes = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers.get === "function") return headers.get(name);
  const found = Object.entries(headers as Record<string, string | readonly string[] | undefined>).find(
    ([its]) => its.toLowerCase() === name,
  );
  return found?.[1] === undefined ? null : String(found[1]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
