import { BeatMarket, webhooks } from "beatmarket";

const encoder = new TextEncoder();

/** Makes a call, reads a list and an export stream, and verifies an event. Returns the results as JSON. */
export async function use(options) {
  const client = new BeatMarket(options);
  const beat = await client.beats.get(1);
  const page = await client.beats.list({ limit: 2 });
  const body = JSON.stringify({ id: "evt_1", created: 1, type: "user.updated", data: {} });
  const timestamp = Math.floor(Date.now() / 1_000);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode("receiver"), hmac, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(`evt_1.${timestamp}.${body}`)));
  const headers = new Headers({
    "webhook-id": "evt_1",
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": `v1,${btoa(String.fromCharCode(...mac))}`,
  });
  const event = await webhooks.unwrap(body, headers, `whsec_${btoa("receiver")}`);
  const refused = await webhooks.unwrap(`${body} `, headers, `whsec_${btoa("receiver")}`).catch((error) => error.name);
  let exported = 0;
  for await (const _ of client.exports.beats()) exported += 1;
  const missing = await client.beats.get(99_999_999).catch((error) => error.name);
  return { id: beat.id, total: page.total, event: event.id, refused, exported, missing };
}
