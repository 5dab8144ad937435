import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import type { Mail, Mailer } from "@beatmarket/mail/mailer.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { sendDueMails } from "@beatmarket/webhooks/monitoring/due-mails.ts";
import { countDueMails } from "@beatmarket/webhooks/monitoring/queue-watch.ts";
import { sql } from "kysely";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { openTemplates, templatedMailer } from "../mails/folder.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { endpointMailer } from "./background-jobs.ts";
import { createEndpoint, disableEndpoint } from "./endpoints.ts";

const { query: db } = await testDatabase();
const secrets = await openSecretBox({ dataDir: "", secretKey: "a key for tests" });
const now = new Date("2026-03-01T12:00:00Z");
const { id: userId, email } = await findOrCreateAccount(db, { email: "owner@example.com" });
let sentMails: Mail[] = [];
const mailer: Mailer = { send: async (mail: Mail) => void sentMails.push(mail) };
let clock: FakeClock;
let secret: string;
let id: number;

const endpointRow = () => db.selectFrom("webhook_endpoints").selectAll().executeTakeFirstOrThrow();
const brand = { site: "Acme Beats", logoUrl: null, footer: null, links: [] };
const texts = await openTemplates(undefined);
const partsOf = (through: Mailer) => ({
  mailer: templatedMailer(through, texts, { brand, languageOf: async () => null }),
  publicUrl: "https://beats.example",
});
const sendMails = (through = mailer) =>
  sendDueMails(db, endpointMailer(db, partsOf(through)), () => clock.now(), new AbortController().signal);

beforeEach(async () => {
  sentMails = [];
  clock = new FakeClock(now.getTime());
  await db.deleteFrom("webhook_endpoints").execute();
  const request = { userId, url: "https://receiver.example/hook", eventTypes: null };
  const endpoint = await createEndpoint(db, request, { secrets, allowPrivate: false, now }, "operator");
  ({ secret } = endpoint);
  ({ id } = endpoint.endpoint);
});

const markAsFailing = () =>
  db
    .updateTable("webhook_endpoints")
    .set({ mail_due: "failing", failing_since: now, last_error: "The receiver answered 500." })
    .execute();

test("one mail names the endpoint, the error, the time of the first failure and the command for a replay, but no secret", async () => {
  await markAsFailing();
  await sendMails();
  await sendMails();
  expect(sentMails).toHaveLength(1);
  expect(sentMails[0]).toMatchObject({ to: email, subject: `Webhook endpoint ${id} is failing` });
  for (const part of [
    "https://receiver.example/hook",
    "The receiver answered 500.",
    "2026-03-01 12:00 UTC",
    `webhooks replay ${id} --failed`,
  ])
    expect(sentMails[0]?.text).toContain(part);
  expect(sentMails[0]?.text).not.toContain(secret.slice("whsec_".length));
});

test("countDueMails returns the number of due mails and the waiting time of the oldest", async () => {
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
  expect(await countDueMails(db, now)).toEqual({ waiting: 0, oldestSeconds: 0 });
  const created = await createEndpoint(
    db,
    { userId, url: "https://other.example/hook", eventTypes: null },
    { secrets, allowPrivate: false, now },
    "operator",
  );
  await markAsFailing();
  await db
    .updateTable("webhook_endpoints")
    .set({ failing_mail_at: minutes(1) })
    .execute();
  await disableEndpoint(db, created.endpoint.id, "operator", { reason: "It answered 410 Gone.", now: minutes(2) });
  expect(await countDueMails(db, minutes(3))).toEqual({ waiting: 2, oldestSeconds: 120 });
  await sendMails();
  expect(await countDueMails(db, minutes(3))).toEqual({ waiting: 0, oldestSeconds: 0 });
});

test("a mail about a disabled endpoint has the reason and the command for a replay", async () => {
  await disableEndpoint(db, id, "operator", { reason: "It answered 410 Gone.", now });
  await sendMails();
  expect(sentMails[0]?.subject).toBe(`Webhook endpoint ${id} is disabled`);
  for (const part of ["It answered 410 Gone.", `webhooks enable ${id} --replay`])
    expect(sentMails[0]?.text).toContain(part);
});

test("the endpoint is not locked while its mail is sent", async () => {
  await markAsFailing();
  await sendMails({
    send: async (mail) => {
      await sql`select from webhook_endpoints for update nowait`.execute(db);
      await mailer.send(mail);
    },
  });
  expect(sentMails).toHaveLength(1);
});

test("a refused mail is due again after five minutes, and does not delay other mails", async () => {
  const other = await createEndpoint(
    db,
    { userId, url: "https://other.example/", eventTypes: null },
    { secrets, allowPrivate: false, now },
    "operator",
  );
  await markAsFailing();
  const isRefused = ({ subject }: Mail) => subject.includes(`endpoint ${id} `);
  const refusingMailer: Mailer = {
    send: async (mail) => {
      if (isRefused(mail)) throw new Error("421 try later");
      await mailer.send(mail);
    },
  };
  await expect(sendMails(refusingMailer)).rejects.toThrow("421");
  expect(sentMails.map(({ subject }) => subject)).toEqual([`Webhook endpoint ${other.endpoint.id} is failing`]);
  clock.advance(299_000);
  await sendMails();
  expect(sentMails).toHaveLength(1);
  clock.advance(1_000);
  await sendMails();
  expect(sentMails).toHaveLength(2);
  expect(sentMails.filter(isRefused)).toHaveLength(1);
});

test("another worker sends the mail of a crashed sender", async () => {
  await markAsFailing();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const hangingMailer = { send: () => new Promise<void>(() => {}) };
  // The call fails some time after the test, and sends no further mail.
  sendDueMails(db, endpointMailer(db, partsOf(hangingMailer)), () => clock.now(), stopping.signal).catch(() => {});
  await until(async () => (await endpointRow()).mail_leased_until !== null);
  await sendMails();
  expect(sentMails).toHaveLength(0);
  clock.advance(300_000);
  await sendMails();
  expect(sentMails).toHaveLength(1);
  expect(await endpointRow()).toMatchObject({ mail_due: null, mail_leased_until: null });
});

test("an endpoint that is disabled during its first mail gets a second mail", async () => {
  await markAsFailing();
  await sendMails({
    send: async (mail) => {
      if (sentMails.length === 0) await disableEndpoint(db, id, "operator", { reason: "It answered 410 Gone.", now });
      await mailer.send(mail);
    },
  });
  expect(sentMails.map(({ subject }) => subject)).toEqual([
    `Webhook endpoint ${id} is failing`,
    `Webhook endpoint ${id} is disabled`,
  ]);
});

test("two workers send a mail once", async () => {
  await markAsFailing();
  await Promise.all([sendMails(), sendMails()]);
  expect(sentMails).toHaveLength(1);
});
