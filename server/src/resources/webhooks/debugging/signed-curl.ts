import type { Queryable } from "../../../database/connection/connect.ts";
import { shellWord } from "../../../shell-word.ts";
import { fixedHeaders } from "../delivery/sender.ts";
import { signatureHeaders } from "../delivery/signature.ts";
import type { Reader } from "../endpoints/endpoint.ts";
import { findEndpoint, secretsOf } from "../endpoints/endpoints.ts";
import type { SecretBox } from "../endpoints/secret-box.ts";
import { findDelivery } from "./deliveries.ts";

/** Where the receivers of docs/webhooks.md listen; stands for the address that an inbox lacks. */
const localReceiver = "http://localhost:3000/";

/** A delivery as a line for a POSIX shell that sends it, signed at this moment. 404 where the actor has none such. */
export async function signedCurl(
  db: Queryable,
  deliveryId: number,
  actor: Reader,
  { secrets, now }: { secrets: SecretBox; now: Date },
): Promise<string> {
  const { endpointId, eventId, payload } = await findDelivery(db, deliveryId, actor);
  const { url } = await findEndpoint(db, endpointId, actor);
  const its = await secretsOf(db, endpointId, actor, { secrets, now });
  const message = { id: eventId, timestampSeconds: Math.floor(now.getTime() / 1000), body: Buffer.from(payload) };
  const headers = Object.entries({ ...fixedHeaders, ...signatureHeaders(message, its) });
  const words = headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`);
  return ["curl", ...words, "--data-binary", shellWord(payload), shellWord(url || localReceiver)].join(" ");
}
