import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { Actor, expectFailure, expectSuccess, type Scenario } from "./scenario.ts";

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const newSecret = `whsec_${Buffer.alloc(24, 2).toString("base64")}`;

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

interface Webhook {
  /** The event, whose JSON is the body. */
  event?: object;
  id?: string;
  timestamp?: string | number;
  secrets?: string[];
}

/** A request as the service signs it, with both signatures. */
function signedWebhook({ event = purchase, id = purchase.id, timestamp = nowSeconds(), secrets = [secret] }: Webhook) {
  const body = Buffer.from(JSON.stringify(event));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
  });
  const headers: Record<string, string> = {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
    "x-webhook-signature": createHmac("sha256", secrets[0] ?? "")
      .update(body)
      .digest("hex"),
  };
  return { body_base64: body.toString("base64"), headers, secrets: [secret] };
}

const purchase = {
  id: "evt_01M7WD7TG00123456789ABCDEF",
  created: 1_795_176_000,
  type: "beat.purchased",
  data: { beat_id: 1, title: "é 😀", amount: 59.9 },
};

const without = (headers: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));

export const replays: Scenario[] = [
  {
    name: "50 webhooks: time, signature, id and secrets",
    run: async (bed) => {
      const actor = new Actor(bed, "50");
      const expectAccepted = async (args: object, label: string): Promise<void> => {
        const { value, error } = await actor.do("unwrap", args);
        assert.deepEqual(value, purchase, `${label}: ${error?.text}`);
      };
      const expectRefused = async (args: object, mention: RegExp, label: string): Promise<void> => {
        const result = await actor.do("unwrap", args);
        assert.ok(result.error, `${label}: it was accepted`);
        assert.match(expectFailure(result, "SignatureVerificationError").text, mention, label);
      };
      const expectMistake = async (args: object, mention: RegExp, label: string): Promise<void> => {
        const result = await actor.do("unwrap", args);
        assert.ok(result.error, `${label}: it was accepted`);
        assert.match(expectFailure(result, "BeatMarketError").text, mention, label);
      };
      const webhook = signedWebhook({});
      const upper = Object.fromEntries(
        Object.entries(webhook.headers).map(([name, value]) => [name.toUpperCase(), value]),
      );
      await expectAccepted(webhook, "as the service sends it");
      await expectAccepted({ ...webhook, headers: upper }, "in upper case");

      // The timestamp.
      const webhookAt = (seconds: number) => signedWebhook({ timestamp: nowSeconds() + seconds });
      await expectAccepted(webhookAt(-200), "200 s ago");
      await expectAccepted(webhookAt(200), "in 200 s");
      await expectAccepted({ ...webhookAt(-600), tolerance_seconds: 3_600 }, "600 s ago, within an hour");
      await expectRefused(webhookAt(-600), /webhook-timestamp/i, "600 s ago");
      await expectRefused(webhookAt(600), /webhook-timestamp/i, "in 600 s");
      await expectRefused(
        { ...webhookAt(-200), tolerance_seconds: 60.5 },
        /webhook-timestamp/i,
        "200 s ago, within 60.5 s",
      );
      for (const timestamp of ["", "soon", "1e9", "12.5", "-5", "0x6b000000", "9".repeat(40), "NaN", "é"])
        await expectRefused(signedWebhook({ timestamp }), /webhook-timestamp/i, `at "${timestamp}"`);

      // With a tolerance only webhook-signature counts, without one only X-Webhook-Signature.
      await expectAccepted({ ...webhookAt(-600), tolerance_seconds: null }, "600 s ago, without a tolerance");
      const { "x-webhook-signature": oldSignature = "" } = webhook.headers;
      const oldWebhook = { ...webhook, headers: { "X-Webhook-Signature": oldSignature }, tolerance_seconds: null };
      await expectAccepted(oldWebhook, "without the headers of Standard Webhooks");
      const wrongSignature = { ...webhook, headers: { ...webhook.headers, "x-webhook-signature": "0".repeat(64) } };
      await expectRefused(
        { ...wrongSignature, tolerance_seconds: null },
        /signature/i,
        "with a wrong X-Webhook-Signature",
      );
      await expectAccepted(wrongSignature, "with a wrong X-Webhook-Signature, which does not count");
      await expectAccepted(
        { ...webhook, headers: without(webhook.headers, "x-webhook-signature") },
        "without X-Webhook-Signature",
      );

      // The headers, the id and the body.
      for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
        await expectRefused(
          { ...webhook, headers: without(webhook.headers, name) },
          new RegExp(name, "i"),
          `without ${name}`,
        );
      await expectRefused({ ...webhook, headers: {} }, /webhook-/i, "without headers");
      const other = "evt_01M7WD7TG00123456789ABCDEG";
      await expectRefused(
        { ...webhook, headers: { ...webhook.headers, "webhook-id": other } },
        /signature/i,
        "another id",
      );
      await expectRefused(signedWebhook({ id: other }), /webhook-id/i, "another id, signed");
      const body_base64 = Buffer.concat([Buffer.from(webhook.body_base64, "base64"), Buffer.from(" ")]).toString(
        "base64",
      );
      await expectRefused({ ...webhook, body_base64 }, /signature/i, "another body");
      const { "webhook-signature": rightSignature = "" } = webhook.headers;
      const oddSignatures = [
        "",
        "v1",
        "v1,",
        "v1,é😀",
        `v2,${rightSignature.slice(3)}`,
        rightSignature.slice(3),
        `V1,${rightSignature.slice(3)}`,
        oldSignature,
      ];
      oddSignatures.push(
        rightSignature.replace(",", " "),
        `${rightSignature.slice(0, -2)}==`,
        `${rightSignature}=`,
        `${rightSignature}A`,
        "v1,".repeat(50_000),
      );
      for (const signature of oddSignatures) {
        const headers = { ...webhook.headers, "webhook-signature": signature };
        await expectRefused({ ...webhook, headers }, /signature/i, `signed "${signature.slice(0, 60)}"`);
      }

      // The secrets.
      const rotated = signedWebhook({ secrets: [newSecret, secret] });
      for (const secrets of [[secret], [newSecret], [secret, newSecret]])
        await expectAccepted({ ...rotated, secrets }, "during a rotation");
      await expectAccepted(
        { ...signedWebhook({ secrets: [newSecret] }), secrets: [secret, newSecret] },
        "the second secret",
      );
      const amongOthers = { ...webhook.headers, "webhook-signature": `v1a,abc v2,abc v1,abc ${rightSignature} v1` };
      await expectAccepted({ ...webhook, headers: amongOthers }, "amid other signatures");
      await expectAccepted({ ...webhook, secrets: [secret.slice(6)] }, "a secret without whsec_");
      await expectRefused({ ...webhook, secrets: [newSecret] }, /signature/i, "another secret");
      for (const invalidSecret of [
        "whsec_!!!!",
        "whsec_",
        "whsec_abc",
        "whsec_ab-_",
        "whsec_YWJj YWJj",
        "plain text",
      ]) {
        await expectMistake({ ...webhook, secrets: [invalidSecret] }, /secret/i, `the secret ${invalidSecret}`);
        await expectMistake(
          { ...webhook, secrets: [secret, invalidSecret] },
          /secret/i,
          `also the secret ${invalidSecret}`,
        );
      }
      const signedWithInvalid = signedWebhook({ secrets: ["whsec_!!!!"] });
      await expectAccepted(
        { ...signedWithInvalid, secrets: ["whsec_!!!!"], tolerance_seconds: null },
        "a secret that is not base64",
      );
      for (const secrets of [[], [""], [secret, ""]])
        await expectMistake({ ...webhook, secrets }, /secret/i, "no secret");

      // PHP itself refuses a tolerance of another type.
      for (const tolerance_seconds of bed.language === "php" ? [0, -1] : [0, -1, "300", []])
        await expectMistake({ ...webhook, tolerance_seconds }, /tolerance/i, `the tolerance ${tolerance_seconds}`);
    },
  },
  {
    name: "49 odd fields of events",
    run: async (bed) => {
      const actor = new Actor(bed, "49");
      const { id } = purchase;
      const events = [
        { ...purchase, created: null },
        { ...purchase, created: "yesterday", data: { beat_id: "1", title: null, amount: "59.90", purchaser_id: [] } },
        { ...purchase, data: { surprise: 1 } },
        { ...purchase, data: null },
        { ...purchase, data: "text" },
        { ...purchase, data: [null] },
        { id, type: "beat.created", data: { id: null, genre: 7, licenses: { basic: 1 }, tags: null, price: [] } },
        { id, type: "beat.updated", data: { changed: "price", genre: null, licenses: [null, 3] } },
        { id, type: "user.registered", data: { created_at: false, is_producer: "yes" }, extra: { deep: [1] } },
        { id, type: "beat.teleported", created: 1, data: { to: "mars" } },
      ];
      for (const event of events)
        for (const tolerance of [{}, { tolerance_seconds: null }]) {
          const result = expectSuccess(await actor.do("unwrap", { ...signedWebhook({ event }), ...tolerance }));
          assert.deepEqual(result.value, event);
        }
      for (const event of [
        { id, data: {} },
        { id, type: 7, data: {} },
        { id, type: null, data: {} },
        { id, type: "x" },
      ]) {
        const args = { ...signedWebhook({ event }), tolerance_seconds: null };
        expectFailure(await actor.do("unwrap", args), "BeatMarketError");
      }
    },
  },
];
