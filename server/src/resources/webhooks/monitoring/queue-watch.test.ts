import { randomUUID } from "node:crypto";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database/database.ts";
import { openSecretBox } from "../../secrets/secret-box.ts";
import { findOrCreateAccount } from "../../users/accounts.ts";
import { suspendAccount, unsuspendAccount } from "../../users/standing.ts";
import { claimDeliveries } from "../delivery/queue.ts";
import { createEndpoint } from "../endpoints/endpoints.ts";
import { emitEvents } from "../events/outbox.ts";
import { DeliveryQueueWatch } from "./queue-watch.ts";

const { query: db } = await testDatabase();
const clock = new FakeClock();
const secrets = await openSecretBox({ dataDir: "", secretKey: "a key for tests" });

test("shows what waits, for how long, and what is being sent; excludes disabled endpoints and suspended accounts", async () => {
  const account = await findOrCreateAccount(db, { email: "ada@example.com" });
  const request = { userId: account.id, url: "https://receiver.example/", eventTypes: null };
  const { endpoint } = await createEndpoint(
    db,
    request,
    { secrets, allowPrivate: false, now: clock.now() },
    "operator",
  );
  const watch = new DeliveryQueueWatch();
  const measured = async () => {
    await watch.measure(db, clock.now());
    return watch.state;
  };
  expect(await measured()).toEqual({ oldestDueSeconds: 0, pending: 0, sending: 0 });

  for (let n = 0; n < 3; n++)
    await emitEvents(db, [{ type: "user.updated", data: {}, at: clock.now(), audience: "everyone" }]);
  clock.advance(90_000);
  expect(await measured()).toEqual({ oldestDueSeconds: 90, pending: 3, sending: 0 });
  await claimDeliveries(db, { scope: "all", lease: randomUUID(), limit: 1, slowLimit: 1, now: clock.now() });
  expect(await measured()).toEqual({ oldestDueSeconds: 90, pending: 2, sending: 1 });

  const by = { reason: "Abuse.", author: "operator", now: clock.now() } as const;
  await suspendAccount(db, { id: account.id }, by, async () => {});
  expect(await measured()).toEqual({ oldestDueSeconds: 0, pending: 0, sending: 1 });
  await unsuspendAccount(db, { id: account.id }, by);
  expect(await measured()).toEqual({ oldestDueSeconds: 90, pending: 2, sending: 1 });

  const disabled = { state: "disabled", disabled_at: clock.now(), disabled_reason: "owner" };
  await db.updateTable("webhook_endpoints").set(disabled).where("id", "=", endpoint.id).execute();
  expect(await measured()).toEqual({ oldestDueSeconds: 0, pending: 0, sending: 1 });
});
