import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import pino from "pino";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { openTemplates } from "./folder.ts";
import { queueMails, type SenderParts, sendDueMails } from "./outbox.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

const { query: db, driver } = await testDatabase();
const clock = new FakeClock();
const refuse = async () => {
  throw new Error("450 mailbox busy");
};
const parts: SenderParts = {
  db,
  clock,
  log: pino({ level: "silent" }),
  mailer: { send: refuse },
  brand: { site: "Beat Marketplace", logoUrl: null, footer: null, links: [] },
  texts: await openTemplates(undefined),
  unsubscribeUrl: () => "https://beats.example/mails",
  libraryUrl: async () => null,
};
const hasFailed = async () => (await driver`select failed_at is not null as failed from outgoing_mails`)[0]?.failed;

beforeEach(async () => {
  await driver`truncate outgoing_mails`;
  const facts = { opens: "library", link: "https://beats.example/library" };
  await queueMails(db, [{ userId: null, to: "ada@example.com", template: "library", facts }], clock.now());
});

test.each([
  ["is refused by the mail server", {}],
  ["cannot be written", { record: async () => {}, libraryUrl: refuse }],
])("a mail that %s is tried for three days from its first attempt, however long it waited", async (_, overrides) => {
  clock.advance(4 * dayMs);
  await sendDueMails({ ...parts, ...overrides });
  expect(await hasFailed()).toBe(false);
  for (let hours = 0; hours < 71; hours++) {
    clock.advance(hourMs);
    await sendDueMails({ ...parts, ...overrides });
  }
  expect(await hasFailed()).toBe(false);
  clock.advance(7 * hourMs);
  await sendDueMails({ ...parts, ...overrides });
  expect(await hasFailed()).toBe(true);
});

test("a mail that an earlier release has tried is given up three days after its creation", async () => {
  await driver`update outgoing_mails set attempts = 1`;
  clock.advance(4 * dayMs);
  await sendDueMails(parts);
  expect(await hasFailed()).toBe(true);
});
