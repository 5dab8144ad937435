import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { sql } from "kysely";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { webhookSecrets } from "../../../test/harness/api.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../../resources/users/accounts.ts";
import { createEndpoint } from "../../resources/webhooks/endpoints.ts";
import { emitEvents } from "../../resources/webhooks/outbox.ts";
import type { AppParts } from "../services/scope.ts";
import { SandboxDeliveries } from "./deliveries.ts";

test("a bucket gets its events after a minute of the sandbox's time, and an outage delays them", async () => {
  const database = await testDatabase();
  const { query: db } = database;
  const clock = new FakeClock();
  const portal = { webhooks: { secrets: webhookSecrets, allowPrivate: false } };
  const deliveries = new SandboxDeliveries({
    database,
    clock,
    portal,
    logger: pino({ level: "silent" }),
  } as unknown as AppParts);
  await deliveries.start();
  onTestFinished(() => deliveries.stop());
  const { id: userId } = await findOrCreateAccount(db, { email: "ada@example.com" });
  const url = "s3://events/market?endpoint=https://s3.receiver.example&path_style=true";
  const bucketKey = { accessKeyId: "AKIA1", secretAccessKey: "secret" };
  const terms = { secrets: webhookSecrets, allowPrivate: false, now: clock.now() };
  await createEndpoint(db, { userId, url, bucketKey, eventTypes: null }, terms, "operator");
  clock.advance(10_000);
  await emitEvents(db, [{ type: "user.updated", data: {}, at: clock.now(), audience: "everyone" }]);

  const due = async () => (await sql<{ at: Date }>`select ${deliveries.due} as at`.execute(db)).rows[0]?.at;
  expect(await due()).toEqual(new Date(clock.nowMs() + 50_000));
  clock.advance(50_000);
  deliveries.isDown = () => true;
  await deliveries.run();
  expect(await due()).toEqual(new Date(clock.nowMs() + 5_000));
  clock.advance(5_000);
  deliveries.isDown = () => false;
  await deliveries.run();
  const attempts = await db.selectFrom("webhook_attempts").select(["status", "answer"]).orderBy("id").execute();
  expect(attempts).toEqual([
    { status: 503, answer: "" },
    { status: 200, answer: expect.stringMatching(/^s3:\/\/events\/market\/2026\/01\/01\/00-01-evt_/) },
  ]);
});
