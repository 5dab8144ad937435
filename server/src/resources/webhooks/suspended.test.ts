import { randomUUID } from "node:crypto";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { claimDeliveries, nextDue } from "@beatmarket/webhooks/delivery/queue.ts";
import { deliveriesChannel } from "@beatmarket/webhooks/events/outbox.ts";
import { expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { suspendAccount, unsuspendAccount } from "../users/standing.ts";
import { createEndpoint } from "./endpoints.ts";
import { emitEvents } from "./outbox.ts";

const database = await testDatabase();
const { query: db } = database;
const clock = new FakeClock();
const secrets = await openSecretBox({ dataDir: "", secretKey: "a key for tests" });

test("deliveries of a suspended account wait until the end of the suspension, which notifies the workers", async () => {
  const account = await findOrCreateAccount(db, { email: "ada@example.com" });
  const suspension = () => ({ reason: "Abuse.", author: "operator", now: clock.now() }) as const;
  const request = { userId: account.id, url: "https://receiver.example/", eventTypes: null };
  await createEndpoint(db, request, { secrets, allowPrivate: false, now: clock.now() }, "operator");
  const emit = () => emitEvents(db, [{ type: "user.updated", data: {}, at: clock.now(), audience: "everyone" }]);
  const claim = () =>
    claimDeliveries(db, { scope: "all", lease: randomUUID(), limit: 10, slowLimit: 10, now: clock.now() });
  await emit();
  await suspendAccount(db, { id: account.id }, suspension(), async () => {});
  await emit();
  clock.advance(86_400_000);
  expect(await claim()).toEqual([]);
  expect(await nextDue(db, "all", clock.now())).toMatchObject({ deliveryInMs: null });
  const rows = await db.selectFrom("webhook_deliveries").select(["state", "attempts"]).execute();
  expect(rows).toEqual([
    { state: "pending", attempts: 0 },
    { state: "pending", attempts: 0 },
  ]);
  let notices = 0;
  await database.listener.subscribe(deliveriesChannel, { onNotification: () => notices++, onListening: () => {} });
  await unsuspendAccount(db, { id: account.id }, suspension());
  expect(await claim()).toHaveLength(2);
  await until(() => notices > 0);
});
