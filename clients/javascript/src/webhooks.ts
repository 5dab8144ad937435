import { BeatMarketError, SignatureVerificationError } from "./errors.ts";
import type { WebhookEvent } from "./generated/models.ts";
import { isObject } from "./reading.ts";

/** Request headers: a fetch `Headers`, or Node's object. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The raw bytes of a request body. Text is encoded as UTF-8. */
export type RawBody = Uint8Array | ArrayBuffer | string;

const defaultToleranceSeconds = 300;
const current = "x-webhook-signature";
const previous = "x-webhook-signature-previous";

/**
 * Verifies a webhook request by its headers and raw body, and returns the event. A request is refused if its timestamp
 * differs from the clock by more than `toleranceSeconds`, so that nobody can send an old request again. With null, it
 * verifies X-Webhook-Signature or X-Webhook-Signature-Previous instead, which cover no timestamp. Recognise duplicates
 * by the event's `id`. Rejects with a SignatureVerificationError that names the remedy, and with a BeatMarketError for
 * an invalid secret or tolerance and for a body that is not an event.
 */
export async function unwrap(
  body: RawBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  toleranceSeconds: number | null = defaultToleranceSeconds,
): Promise<WebhookEvent> {
  const header = (name: string) => headerOf(headers, name);
  const id = header("webhook-id");
  if (toleranceSeconds === null) {
    const candidates = [header(current), header(previous)].filter((value) => value !== null);
    await verifyAny(body, candidates.length === 0 ? [null] : candidates, secrets);
  } else {
    const signed = { id, timestamp: header("webhook-timestamp"), signature: header("webhook-signature") };
    await verifyTimed(body, signed, secrets, toleranceSeconds);
  }
  const event = parsed(typeof body === "string" ? body : new TextDecoder().decode(body));
  if (!isObject(event) || typeof event.type !== "string" || !("data" in event))
    throw new BeatMarketError("The signature is valid, but the body is not an event.");
  if (toleranceSeconds !== null && event.id !== id)
    throw new SignatureVerificationError(
      "The webhook-id is not the id of the event: pass the headers of this request.",
    );
  return event as unknown as WebhookEvent;
}

/**
 * Verifies the value of X-Webhook-Signature against the raw body, regardless of its age. `secrets` is the endpoint's
 * secret, or a list during a rotation. Rejects as `unwrap` does.
 */
export async function verify(
  body: RawBody,
  signature: string | null | undefined,
  secrets: string | readonly string[],
): Promise<void> {
  await verifyAny(body, [signature ?? null], secrets);
}

/**
 * The headers that a delivery of this event has, for tests of a receiver. The body is the event as JSON, with its `id`;
 * `at` is the time of the delivery, now by default. Rejects with a BeatMarketError for a body that is not an event, and
 * for an invalid secret or time.
 */
export async function sign(body: RawBody, secret: string, at: Date = new Date()): Promise<Record<string, string>> {
  const bytes = bytesOf(body);
  const event = parsed(new TextDecoder().decode(bytes));
  if (!isObject(event) || typeof event.id !== "string" || event.id === "")
    throw new BeatMarketError(
      'The body takes an event as JSON, such as {"id": "evt_1", "type": "beat.created", "data": {}}.',
    );
  const [whole = ""] = keysOf(secret);
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  if (timestamp === "NaN") throw new BeatMarketError("The time of the delivery is an invalid Date.");
  const standard = await signatureOf(
    decodedSecret(whole),
    new Uint8Array([...encoded(`${event.id}.${timestamp}.`), ...bytes]),
  );
  const own = await signatureOf(encoded(whole), bytes);
  return {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${btoa(String.fromCharCode(...standard))}`,
    [current]: Array.from(own, (byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}

async function signatureOf(key: Bytes, content: Bytes): Promise<Bytes> {
  const cryptoKey = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", cryptoKey, content));
}

/** Resolves if any of the signatures matches any of the secrets. */
async function verifyAny(body: RawBody, signatures: (string | null)[], secrets: string | readonly string[]) {
  const keys = keysOf(secrets).map((secret) => encoded(secret));
  const bytes = bytesOf(body);
  const wellFormed = signatures.filter((one) => one !== null && /^[0-9a-f]{64}$/.test(one)) as string[];
  if (wellFormed.length === 0)
    throw new SignatureVerificationError(
      signatures.every((one) => one === null || one === "")
        ? "The request has no X-Webhook-Signature: it is not from Beat Marketplace, or something on the way removed the header."
        : "The X-Webhook-Signature is not 64 lower-case hexadecimal digits: pass the header's value as it came.",
    );
  const signatureBytes = wellFormed.map((hex) =>
    Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
  );
  if (!(await matches(keys, signatureBytes, bytes))) throw mismatch("X-Webhook-Signature");
}

/** Verifies a signature of Standard Webhooks, which covers `id.timestamp.body`. */
async function verifyTimed(
  body: RawBody,
  signed: Record<"id" | "timestamp" | "signature", string | null>,
  secrets: string | readonly string[],
  toleranceSeconds: number,
): Promise<void> {
  if (typeof toleranceSeconds !== "number" || !(toleranceSeconds > 0 && toleranceSeconds < Number.POSITIVE_INFINITY))
    throw new BeatMarketError(
      `The tolerance is ${toleranceSeconds}; it takes a number of seconds above 0, or null for signatures without a time.`,
    );
  const keys = keysOf(secrets).map(decodedSecret);
  const bytes = bytesOf(body);
  const { id, timestamp, signature } = signed;
  for (const name of ["id", "timestamp", "signature"] as const)
    if (!signed[name])
      throw new SignatureVerificationError(
        `The request has no webhook-${name}: it is not from Beat Marketplace, or something on the way removed the header. A tolerance of null accepts X-Webhook-Signature alone.`,
      );
  if (!/^\d{1,15}$/.test(timestamp ?? ""))
    throw new SignatureVerificationError(
      "The webhook-timestamp is not a Unix time in seconds: pass the header as it came.",
    );
  const parts = (signature ?? "")
    .split(" ")
    .flatMap((one) => (one.startsWith("v1,") ? (fromBase64(one.slice(3)) ?? []) : []));
  const content = new Uint8Array([...encoded(`${id}.${timestamp}.`), ...bytes]);
  if (!(await matches(keys, parts, content))) throw mismatch("webhook-signature");
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (Math.abs(ageSeconds) <= toleranceSeconds) return;
  const when = ageSeconds > 0 ? "ago" : "in the future";
  throw new SignatureVerificationError(
    `The webhook-timestamp is ${Math.round(Math.abs(ageSeconds))} s ${when}, more than the tolerance of ${toleranceSeconds} s: the request is an old one sent again, or the clock of this machine is wrong.`,
  );
}

const mismatch = (header: string): SignatureVerificationError =>
  new SignatureVerificationError(
    `The ${header} does not match. Pass the raw bytes of the body, before anything parses them, and the whole secret, whsec_ included.`,
  );

/** Compares in constant time. */
async function matches(keys: Bytes[], signatures: Bytes[], content: Bytes): Promise<boolean> {
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const one of signatures) if (await crypto.subtle.verify("HMAC", key, one, content)) return true;
  }
  return false;
}

type Bytes = Uint8Array<ArrayBuffer>;

function keysOf(secrets: string | readonly string[]): readonly string[] {
  const keys = typeof secrets === "string" ? [secrets] : secrets;
  if (Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === "string" && key !== "")) return keys;
  throw new BeatMarketError("The webhook secret is missing or empty: is its environment variable set?");
}

function decodedSecret(secret: string): Bytes {
  const key = fromBase64(secret.replace(/^whsec_/, ""));
  if (key !== undefined) return key;
  throw new BeatMarketError("The webhook secret is not whsec_ and base64: pass the whole secret of the endpoint.");
}

/** `atob` alone would accept spaces and missing padding. */
const fromBase64 = (text: string): Bytes | undefined =>
  text !== "" && /^([A-Za-z\d+/]{4})*([A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(text)
    ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    : undefined;

function bytesOf(body: RawBody): Bytes {
  if (typeof body === "string") return encoded(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body);
  throw new SignatureVerificationError(
    "The body is not raw bytes but was parsed before, which loses what was signed: with Express use express.raw() on this route.",
  );
}

const encoded = (text: string): Bytes => new TextEncoder().encode(text);

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers?.get === "function") return headers.get(name);
  const entry = Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return entry?.[1] === undefined ? null : String(entry[1]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
