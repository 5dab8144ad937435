import type { BeatMarket } from "../../../javascript/src/client.ts";
import { CommandError } from "../errors.ts";
import { tone } from "./tone.ts";

interface Parts {
  client: BeatMarket;
  beatId: number | undefined;
}

/** Makes the API calls that cause an event. Returns a sentence about the actions. */
export type Chain = (parts: Parts) => Promise<string>;

/** A card of the sandbox and of Stripe's test mode. In live mode it is refused, so no money moves. */
const card = "pm_card_visa";

/** The reasons why a live key cannot cause these events by itself. */
export const unavailable: Readonly<Record<string, string>> = {
  "beat.taken_down": "the operator takes beats down, in the portal.",
  "beat.publishing_failed": "it is sent when a file that was accepted cannot be rendered.",
  "order.failed": "it is sent when a buyer declines a pending payment, on the payment's page in a browser.",
  "order.refunded": "a refund is made by the producer or the operator, in the portal.",
  "payout.sent": "the operator pays producers, in the portal.",
  "payout.paid": "the operator confirms payouts, in the portal.",
  "payout.failed": "it is sent when a bank returns a payout.",
  "user.registered": "an account is made in the portal.",
};

export const chains: Readonly<Record<string, Chain>> = {
  "beat.purchased": async (parts) => (await order(parts)).sentence,

  "beat.sold_exclusively": async (parts) => (await order(parts, "exclusive")).sentence,

  "license.upgraded": async (parts) => {
    const { id } = await order(parts);
    const license = await licenseOf(parts, id);
    const upgraded = await parts.client.licenses.upgrade(license, { license_type: "premium", payment_method: card });
    return `Upgraded the license of order ${id} with order ${upgraded.id}.`;
  },

  "license.usage": async (parts) => {
    const { id } = await order(parts);
    const license = await licenseOf(parts, id);
    const { sums } = await parts.client.licenses.usage(license);
    const limited = sums.find(({ limit }) => limit !== null);
    if (limited === undefined)
      throw new CommandError(`The license of order ${id} has no limit. Choose another --beat.`);
    const period = new Date().toISOString().slice(0, 7);
    const report = { use: limited.use, quantity: limited.limit ?? 0, period, source: "beatmarket-cli" };
    await parts.client.licenses.reportUsage(license, report);
    return `Reported ${report.quantity} ${limited.use} of the license of order ${id}.`;
  },

  "upload.ready": async ({ client }) => {
    const { id } = await client.uploads.upload(tone(), { kind: "audio", filename: "trigger.wav" });
    await client.uploads.wait(id);
    return `Uploaded ${id}. Delete it with: beatmarket-cli uploads delete ${id}`;
  },

  "upload.rejected": async ({ client }) => {
    const bytes = new TextEncoder().encode("This is no audio.");
    const { id } = await client.uploads.upload(bytes, { kind: "audio", filename: "trigger.wav" });
    return `Uploaded ${id}, which is not audio.`;
  },

  "beat.created": async ({ client }) => `Put beat ${await publish(client)} on sale.`,

  "beat.updated": async ({ client }) => {
    const id = await publish(client);
    await client.beats.update(id, { description: "Changed by beatmarket-cli trigger." });
    return `Changed beat ${id}.`;
  },

  "beat.withdrawn": async ({ client }) => {
    const id = await publish(client);
    await client.beats.withdraw(id);
    return `Put beat ${id} on sale, and withdrew it.`;
  },

  "user.updated": async ({ client }) => {
    const { location } = await client.users.updateProfile({});
    await client.users.updateProfile({ location: "beatmarket-cli trigger" });
    await client.users.updateProfile({ location });
    return "Changed the location of your profile, and changed it back.";
  },
};

async function order(
  { client, beatId }: Parts,
  license: "basic" | "exclusive" = "basic",
): Promise<{ id: number; sentence: string }> {
  const beat = beatId ?? (await client.beats.list({ sort: "price_asc", limit: 1 })).data[0]?.id;
  if (beat === undefined) throw new CommandError("There is no beat on sale to order.");
  const {
    id,
    status,
    failure_reason: reason,
  } = await client.orders.create({
    beat_id: beat,
    license_type: license,
    payment_method: card,
  });
  if (status !== "completed")
    throw new CommandError(
      `Order ${id} is ${status}${reason === null ? "" : `: ${reason}`}. Does the server take test cards?`,
    );
  return { id, sentence: `Bought beat ${beat} with order ${id}.` };
}

async function licenseOf({ client }: Parts, orderId: number): Promise<string> {
  const { license } = await client.orders.files(orderId);
  if (license === null || license === undefined)
    throw new CommandError(`Order ${orderId} has no license yet. Try again.`);
  return license.id;
}

const publishPollMs = 1_000;
const maxPolls = 300;

/** Puts a beat on sale, and waits until the beat is published. */
async function publish(client: BeatMarket): Promise<number> {
  const { id: audio } = await client.uploads.upload(tone(), { kind: "audio", filename: "trigger.wav" });
  await client.uploads.wait(audio);
  const genre = (await client.genres.list())[0]?.id;
  if (genre === undefined) throw new CommandError("There is no genre on this server.");
  const title = `Trigger ${new Date().toISOString()}`;
  const { id } = await client.beats.create({ title, genre, audio, price: 29.9, bpm: 120, status: "published" });
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const { status } = (await client.beats.get(id)) as { status?: string };
    if (status === "published") return id;
    await new Promise((resolve) => setTimeout(resolve, publishPollMs));
  }
  throw new CommandError(`Beat ${id} is not on sale after five minutes. Look at it in the portal.`);
}
