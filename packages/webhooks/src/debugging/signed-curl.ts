import { conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { shellWord } from "@beatmarket/foundation/text/shell-word.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { findDelivery } from "../deliveries.ts";
import { findEndpoint, type Principal, secretsOf } from "../endpoints/endpoints.ts";
import type { EventRules } from "../event-rules.ts";
import type { SecretBox } from "../secret-box.ts";
import { fixedHeaders } from "../sender.ts";
import { signatureHeaders, unsignedHeaders } from "../signature.ts";

/**
 * Parses copied request headers: `name: value` lines, as in logs and `curl -v`, or a JSON object. Ignores other lines,
 * such as the request line. Throws 400 for invalid JSON.
 */
export function parseHeaders(text: string): Record<string, string> {
  if (text.trimStart().startsWith("{")) return jsonHeaders(text);
  const lines = text.split(/\r?\n/).map((line) => /^(?:> )?([\w-]+):(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((match) => (match === null ? [] : [[match[1], match[2]?.trim() ?? ""]])));
}

function jsonHeaders(text: string): Record<string, string> {
  try {
    const headers: object = JSON.parse(text);
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  } catch {
    throw invalidRequest(
      "The headers begin like a JSON object, but are not valid JSON; give lines of name: value, or a JSON object.",
      "headers",
    );
  }
}

/** The url of a receiver under development. Used for an inbox, which has no url. */
const localReceiver = "http://localhost:3000/";

/**
 * A curl command for a POSIX shell that sends a delivery with a new signature. Throws 404 if the principal has no such
 * delivery, and 409 for a delivery to a bucket.
 */
export async function signedCurl(
  db: Queryable,
  deliveryId: number,
  principal: Principal,
  { secrets, now, rules }: { secrets: SecretBox; now: Date; rules: EventRules },
): Promise<string> {
  const { endpointId, eventId, payload, version } = await findDelivery(db, deliveryId, principal);
  const body = rules.bodyOf(payload, version);
  const { kind, url } = await findEndpoint(db, endpointId, principal);
  if (kind === "s3")
    throw conflict(`Delivery ${deliveryId} is a line of an object in a bucket; only a receiver takes it by curl.`);
  const signingSecrets = await secretsOf(db, endpointId, principal, { secrets, now });
  const message = { id: eventId, timestampSeconds: Math.floor(now.getTime() / 1000), body: Buffer.from(body) };
  const signatures = signatureHeaders(message, signingSecrets);
  const unsigned = unsignedHeaders(eventId, version, rules);
  const headers = Object.entries({ ...fixedHeaders(rules), ...signatures, ...unsigned });
  const headerOptions = headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`);
  return ["curl", ...headerOptions, "--data-binary", shellWord(body), shellWord(url || localReceiver)].join(" ");
}
