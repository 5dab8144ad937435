import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import type { Mail } from "../../../mail/mailer.ts";
import { openSecretBox } from "../../secrets/secret-box.ts";
import { findOrCreateAccount } from "../../users/accounts.ts";
import { createEndpoint, disableEndpoint } from "../endpoints/endpoints.ts";
import { sendDueMails } from "./mails.ts";

const { query: db } = await testDatabase();
const secrets = await openSecretBox({ dataDir: "", secretKey: "a key for tests" });
const now = new Date("2026-03-01T12:00:00Z");
const { id: userId, email } = await findOrCreateAccount(db, { email: "owner@example.com" });
let sent: Mail[] = [];
const mailer = { send: async (mail: Mail) => void sent.push(mail) };
let secret: string;
let id: number;

beforeEach(async () => {
  sent = [];
  await db.deleteFrom("webhook_endpoints").execute();
  const request = { userId, url: "https://receiver.example/hook", eventTypes: null };
  const made = await createEndpoint(db, request, { secrets, allowPrivate: false, now }, "operator");
  ({ secret } = made);
  ({ id } = made.endpoint);
});

const beginToFail = () =>
  db
    .updateTable("webhook_endpoints")
    .set({ mail_due: "failing", failing_since: now, last_error: "The receiver answered 500." })
    .execute();

test("one mail tells the account what failed, why, how to fix it and how to replay", async () => {
  await beginToFail();
  await sendDueMails(db, mailer);
  await sendDueMails(db, mailer);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ to: email, subject: `Webhook endpoint ${id} is failing` });
  for (const part of [
    "https://receiver.example/hook",
    "The receiver answered 500.",
    "2026-03-01 12:00 UTC",
    `webhooks replay ${id} --failed`,
  ])
    expect(sent[0]?.text).toContain(part);
  expect(sent[0]?.text).not.toContain(secret.slice("whsec_".length));
});

test("a mail tells the account that an endpoint is disabled, why, and how to replay what was skipped", async () => {
  await disableEndpoint(db, id, "operator", { reason: "It answered 410 Gone.", now });
  await sendDueMails(db, mailer);
  expect(sent[0]?.subject).toBe(`Webhook endpoint ${id} is disabled`);
  for (const part of ["It answered 410 Gone.", `webhooks enable ${id} --replay`]) expect(sent[0]?.text).toContain(part);
});

test("a mail that the server refuses stays due", async () => {
  await beginToFail();
  const refusing = { send: () => Promise.reject(new Error("421 try later")) };
  await expect(sendDueMails(db, refusing)).rejects.toThrow("421");
  await sendDueMails(db, mailer);
  expect(sent).toHaveLength(1);
});

test("two workers send one mail", async () => {
  await beginToFail();
  await Promise.all([sendDueMails(db, mailer), sendDueMails(db, mailer)]);
  expect(sent).toHaveLength(1);
});
