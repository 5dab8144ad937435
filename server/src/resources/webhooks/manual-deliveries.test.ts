import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { signedCurl } from "@beatmarket/webhooks/debugging/signed-curl.ts";
import { findDelivery, listDeliveries, summarizeDeliveries } from "@beatmarket/webhooks/deliveries.ts";
import type { Endpoint } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { isTestEventId } from "@beatmarket/webhooks/events/event-ids.ts";
import { resendDelivery } from "@beatmarket/webhooks/replay.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import type { AuditedPrincipal } from "./audit.ts";
import { createEndpoint, disableEndpoint } from "./endpoints.ts";
import { countReplayable, replayDeliveries, reserveReplay, sendTestEvent } from "./manual-deliveries.ts";
import { emitEvents, eventRules } from "./outbox.ts";

const { query: db } = await testDatabase();
const secrets = await openSecretBox({ dataDir: "", secretKey: "a key for tests" });
const now = new Date("2026-03-01T12:00:00Z");
const timeAt = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const { id: userId } = await findOrCreateAccount(db, { email: "owner@example.com" });
const author = { clientAddress: "192.0.2.7", userAgent: "Firefox" };
const owner: AuditedPrincipal = { ownerId: userId, author };

let endpoint: Endpoint;
beforeEach(async () => {
  for (const table of ["webhook_endpoints", "webhook_deliveries", "webhook_attempts", "events"] as const)
    await db.deleteFrom(table).execute();
  endpoint = await make();
});
const make = async (): Promise<Endpoint> => {
  const request = { userId, url: "https://receiver.example/", eventTypes: ["beat.created" as const] };
  return (await createEndpoint(db, request, { secrets, allowPrivate: false, now }, "operator")).endpoint;
};
/** Emits one event per hour, with a delivery in the given state. */
const emitWithStates = async (...states: string[]) => {
  for (const [hour, state] of states.entries()) {
    await emitEvents(db, [{ type: "beat.created", data: { hour }, at: timeAt(hour), audience: "everyone" }]);
    const { id } = await db
      .selectFrom("webhook_deliveries")
      .select("id")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    const isPending = state === "pending";
    await db
      .updateTable("webhook_deliveries")
      .set({ state, attempts: 10, ...(!isPending && { next_attempt_at: null }) })
      .where("id", "=", id)
      .execute();
  }
};
const states = async () =>
  (await listDeliveries(db, endpoint.id, { limit: 100 }, eventRules)).map(({ state }) => state).reverse();

describe("a replay", () => {
  test("is limited per hour for all endpoints of an account together", async () => {
    const other = await make();
    await reserveReplay(db, endpoint, 20_000, timeAt(0));
    await reserveReplay(db, other, 10_000, timeAt(0.5));
    await expect(reserveReplay(db, endpoint, 1, timeAt(0.9))).rejects.toMatchObject({
      status: 429,
      details: "An account replays at most 30,000 deliveries an hour; try again in 36 minutes.",
    });
    await reserveReplay(db, endpoint, 20_000, timeAt(1));
  });

  test.each([
    [
      "failed deliveries",
      { states: ["failed" as const] },
      ["succeeded", "pending", "skipped", "pending", "pending"],
      2,
    ],
    [
      "skipped deliveries",
      { states: ["skipped" as const] },
      ["succeeded", "failed", "pending", "failed", "pending"],
      1,
    ],
    [
      "failed and skipped deliveries",
      { states: ["failed" as const, "skipped" as const] },
      ["succeeded", "pending", "pending", "pending", "pending"],
      3,
    ],
    [
      "deliveries from `from` on and before `to`",
      { from: timeAt(0), to: timeAt(2) },
      ["pending", "pending", "skipped", "failed", "pending"],
      2,
    ],
    [
      "failed deliveries of a time range",
      { states: ["failed" as const], from: timeAt(2) },
      ["succeeded", "failed", "skipped", "pending", "pending"],
      1,
    ],
  ])("queues %s", async (_, selection, expected, count) => {
    await emitWithStates("succeeded", "failed", "skipped", "failed", "pending");
    expect(await countReplayable(db, endpoint.id, selection, 100)).toBe(count);
    expect(await replayDeliveries(db, endpoint, selection, owner, timeAt(9))).toBe(count);
    expect(await states()).toEqual(expected);
  });

  test("restarts the ten attempts immediately, with the same event id", async () => {
    await emitWithStates("failed");
    const [before] = await listDeliveries(db, endpoint.id, { limit: 1 }, eventRules);
    await replayDeliveries(db, endpoint, { states: ["failed"] }, owner, timeAt(9));
    const [after] = await listDeliveries(db, endpoint.id, { limit: 1 }, eventRules);
    expect(after).toEqual({ ...before, state: "pending", attempts: 0, nextAttemptAt: timeAt(9) });
  });

  test("of a time range adds subscribed events without a delivery", async () => {
    await emitWithStates("succeeded", "succeeded");
    await emitEvents(db, [{ type: "user.updated", data: {}, at: timeAt(0), audience: "everyone" }]);
    const late = await make();
    expect(await countReplayable(db, late.id, { from: timeAt(0) }, 100)).toBe(2);
    expect(await countReplayable(db, late.id, { from: timeAt(0) }, 1)).toBe(1);
    expect(await countReplayable(db, late.id, { states: ["skipped"] }, 100)).toBe(0);
    expect(await replayDeliveries(db, late, { from: timeAt(0) }, owner, timeAt(9))).toBe(2);
    const deliveries = await listDeliveries(db, late.id, { limit: 10 }, eventRules);
    expect(deliveries.map(({ type, state }) => ({ type, state }))).toEqual([
      { type: "beat.created", state: "pending" },
      { type: "beat.created", state: "pending" },
    ]);
  });

  test("works in several batches", async () => {
    const events = Array.from({ length: 11_000 }, (_, n) => ({
      type: "beat.created" as const,
      data: { n },
      at: timeAt(1),
      audience: "everyone" as const,
    }));
    await emitEvents(db, events);
    await disableEndpoint(db, endpoint.id, owner, { reason: "By hand.", now });
    const count = async (state: string) =>
      (await db.selectFrom("webhook_deliveries").select("id").where("state", "=", state).execute()).length;
    expect(await count("skipped")).toBe(11_000);
    expect(
      await replayDeliveries(db, { ...endpoint, state: "enabled" }, { states: ["skipped"] }, owner, timeAt(9)),
    ).toBe(11_000);
    expect(await count("pending")).toBe(11_000);
  });

  test("is rejected for a disabled endpoint", async () => {
    const disabled = await disableEndpoint(db, endpoint.id, owner, { reason: "By hand.", now });
    await expect(replayDeliveries(db, disabled, { states: ["skipped"] }, owner, now)).rejects.toMatchObject({
      status: 409,
    });
  });
});

describe("one delivery", () => {
  test.each(["succeeded", "failed", "skipped", "pending"])("that is %s is queued again", async (state) => {
    await emitWithStates(state);
    const [delivery] = await listDeliveries(db, endpoint.id, { limit: 1 }, eventRules);
    await resendDelivery(db, delivery?.id ?? 0, owner, timeAt(9));
    expect(await findDelivery(db, delivery?.id ?? 0, owner)).toMatchObject({
      state: "pending",
      attempts: 0,
      nextAttemptAt: timeAt(9),
    });
  });

  test("keeps its total attempts, and keeps its result until the next attempt ends", async () => {
    await emitWithStates("succeeded", "failed", "pending");
    const ids = (await listDeliveries(db, endpoint.id, { limit: 3 }, eventRules)).map(({ id }) => id).reverse();
    const attempt = (index: number, error: string | null) =>
      db
        .insertInto("webhook_attempts")
        .values({
          delivery_id: ids[index] ?? 0,
          attempted_at: timeAt(1),
          status: error === null ? 200 : 500,
          duration_ms: 1,
          error,
          answer: "",
        })
        .execute();
    await attempt(0, "It responded 500.");
    await attempt(0, null);
    await attempt(1, "It responded 500.");
    await db
      .updateTable("webhook_deliveries")
      .set({ attempts: 0 })
      .where("id", "=", ids[2] ?? 0)
      .execute();
    for (const id of ids.slice(0, 2)) await resendDelivery(db, id, owner, timeAt(9));
    expect(await findDelivery(db, ids[0] ?? 0, owner)).toMatchObject({
      state: "pending",
      attempts: 0,
      totalAttempts: 2,
    });
    expect(await findDelivery(db, ids[2] ?? 0, owner)).toMatchObject({ attempts: 0, totalAttempts: 0 });
    const summary = (await summarizeDeliveries(db, [endpoint.id], { newest: 100, atMost: 9 })).get(endpoint.id);
    expect(summary).toMatchObject({ attempted: 2, succeeded: 1, pending: 3 });
  });

  test("is not queued again while a worker sends it, by another account, or to a disabled endpoint", async () => {
    await emitWithStates("failed");
    const [delivery] = await listDeliveries(db, endpoint.id, { limit: 1 }, eventRules);
    const id = delivery?.id ?? 0;
    await expect(resendDelivery(db, id, { ownerId: userId + 1 }, now)).rejects.toMatchObject({ status: 404 });
    await db
      .updateTable("webhook_deliveries")
      .set({ state: "sending", lease: crypto.randomUUID(), leased_until: timeAt(9) })
      .execute();
    await expect(resendDelivery(db, id, owner, now)).rejects.toMatchObject({ status: 409 });
    await disableEndpoint(db, endpoint.id, owner, { reason: "By hand.", now });
    await expect(resendDelivery(db, id, owner, now)).rejects.toMatchObject({ status: 409 });
  });
});

test("a test event is sent only to its endpoint, independent of subscriptions", async () => {
  await make();
  const data = { beat_id: 3, purchaser_id: 4, amount: 59.9 };
  const id = await sendTestEvent(db, endpoint, { type: "beat.purchased", data, at: now });
  const delivery = await findDelivery(db, id, owner);
  expect(JSON.parse(delivery.payload)).toEqual({
    id: delivery.eventId,
    created: now.getTime() / 1000,
    type: "beat.purchased",
    data: { beat_id: 0, purchaser_id: 0, amount: 59.9 },
  });
  expect(isTestEventId(delivery.eventId)).toBe(true);
  const curl = await signedCurl(db, id, owner, { secrets, now, rules: eventRules });
  expect(curl).toContain("-H 'X-Webhook-Test: true'");
  expect(await db.selectFrom("webhook_deliveries").select("endpoint_id").execute()).toEqual([
    { endpoint_id: endpoint.id },
  ]);
});
