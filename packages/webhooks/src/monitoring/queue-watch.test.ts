import { randomUUID } from "node:crypto";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { expect, test } from "vitest";
import { createEndpoint, createOwner, emit, setSuspendedAt } from "../../testing/fixture.ts";
import { webhooksDatabase } from "../../testing/webhooks-database.ts";
import { claimDeliveries } from "../delivery/queue.ts";
import { DeliveryQueueWatch } from "./queue-watch.ts";

const { query: db } = await webhooksDatabase();
const clock = new FakeClock();

test("the queue state excludes disabled endpoints and suspended accounts; `lateSeconds` also excludes failing and full endpoints", async () => {
  const userId = await createOwner(db);
  const request = { userId, url: "https://receiver.example/" };
  const { endpoint } = await createEndpoint(db, request, { allowPrivate: false, now: clock.now() });
  const watch = new DeliveryQueueWatch();
  const measured = async () => {
    await watch.measure(db, clock.now());
    return watch.state;
  };
  expect(await measured()).toEqual({ oldestDueSeconds: 0, lateSeconds: 0, pending: 0, sending: 0 });

  for (let n = 0; n < 3; n++)
    await emit(db, [{ type: "user.updated", data: {}, at: clock.now(), audience: "everyone" }]);
  clock.advance(90_000);
  expect(await measured()).toEqual({ oldestDueSeconds: 90, lateSeconds: 90, pending: 3, sending: 0 });
  await claimDeliveries(db, { scope: "all", lease: randomUUID(), limit: 1, slowLimit: 1, now: clock.now() });
  expect(await measured()).toEqual({ oldestDueSeconds: 90, lateSeconds: 90, pending: 2, sending: 1 });

  await setSuspendedAt(db, userId, clock.now());
  expect(await measured()).toEqual({ oldestDueSeconds: 0, lateSeconds: 0, pending: 0, sending: 1 });
  await setSuspendedAt(db, userId, null);
  expect(await measured()).toEqual({ oldestDueSeconds: 90, lateSeconds: 90, pending: 2, sending: 1 });

  // A receiver that fails, or whose limit is reached, causes the delay itself.
  for (const ill of [{ failing_since: clock.now() }, { failing_since: null, concurrency: 1 }]) {
    await db.updateTable("webhook_endpoints").set(ill).where("id", "=", endpoint.id).execute();
    expect(await measured()).toEqual({ oldestDueSeconds: 90, lateSeconds: 0, pending: 2, sending: 1 });
  }

  const disabled = { state: "disabled", disabled_at: clock.now(), disabled_reason: "owner" };
  await db.updateTable("webhook_endpoints").set(disabled).where("id", "=", endpoint.id).execute();
  expect(await measured()).toEqual({ oldestDueSeconds: 0, lateSeconds: 0, pending: 0, sending: 1 });
});

test("deliveries of an account at its limit of requests in flight are late only if their endpoint is idle", async () => {
  const userId = await createOwner(db);
  const watch = new DeliveryQueueWatch();
  const lateSeconds = async () => {
    await watch.measure(db, clock.now());
    return watch.state.lateSeconds;
  };
  const subscribe = async (name: string) => {
    const request = { userId, url: `https://${name}.example/` };
    const { endpoint } = await createEndpoint(db, request, { allowPrivate: false, now: clock.now() });
    await db.updateTable("webhook_endpoints").set({ concurrency: 40 }).where("id", "=", endpoint.id).execute();
  };
  const emitOne = () => emit(db, [{ type: "user.updated", data: {}, at: clock.now(), audience: "everyone" }]);
  await subscribe("one");
  await subscribe("two");
  for (let n = 0; n < 40; n++) await emitOne();
  clock.advance(90_000);
  expect(await lateSeconds()).toBe(90);
  const claim = { scope: "all", lease: randomUUID(), limit: 100, slowLimit: 100, now: clock.now() } as const;
  expect(await claimDeliveries(db, claim)).toHaveLength(64);
  expect(await lateSeconds()).toBe(0);

  await subscribe("three");
  await emitOne();
  clock.advance(60_000);
  expect(await lateSeconds()).toBe(60);
});
