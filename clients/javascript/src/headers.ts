import { BeatMarketError } from "./errors.ts";

/** Headers to send in addition to the client's own. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** The headers that a client sets itself, and what to use instead. */
const own: Readonly<Record<string, string>> = {
  authorization: "pass apiKey",
  "x-api-key": "pass apiKey",
  "idempotency-key": "pass idempotencyKey",
  "if-match": "pass ifMatch",
  "user-agent": "pass userAgentSuffix",
  accept: "use client.request",
  "content-type": "use client.request",
  host: "pass baseUrl",
  "content-length": "it follows from the body",
};

/**
 * Returns the headers with lower-case names. Throws a BeatMarketError for invalid headers, since the transport's error
 * would look like a network error.
 */
export function sendable(headers: ExtraHeaders): Record<string, string> {
  if (typeof headers !== "object" || headers === null || Array.isArray(headers))
    throw new BeatMarketError("The headers take an object of names and values.");
  for (const [name, value] of Object.entries(headers))
    if (!isSendable(name, value))
      throw new BeatMarketError(
        `The header ${JSON.stringify(name)} cannot be sent: its name takes letters, digits and hyphens, its value one line.`,
      );
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    throw new BeatMarketError("The headers take an object of names and values.");
  }
}

/** Headers that a caller adds. Throws a BeatMarketError for a header that the client sets itself. */
export function extraHeaders(headers: ExtraHeaders | null | undefined): Record<string, string> {
  const extra = sendable(headers ?? {});
  for (const name of Object.keys(extra))
    if (Object.hasOwn(own, name))
      throw new BeatMarketError(
        `The client sets the header ${name} itself; it cannot be an extra header: ${own[name]}.`,
      );
  return extra;
}

function isSendable(name: string, value: string): boolean {
  // Checked separately, since the platform removes line breaks at the ends of a value.
  if (typeof value !== "string" || /[\r\n\0]/.test(value)) return false;
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}

/** Headers for hooks and logs. They show the last characters of the key, and nothing of other secrets. */
export function masked(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, printable(name, value)]));
}

const secretNames = /authorization|cookie|api-key|token|secret/;
/** The last characters of a shorter key would reveal too much of it. */
const leastKeyLength = 16;

function printable(name: string, value: string): string {
  if (name === "authorization")
    return value.replace(/bm_.*/, (key) => `bm_…${key.length < leastKeyLength ? "" : key.slice(-4)}`);
  return secretNames.test(name) ? "…" : value;
}
