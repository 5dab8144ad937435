import { beforeEach, expect, test } from "vitest";
import { createEndpoint, createOwner, emit as emitEvents, secrets } from "../testing/fixture.ts";
import { webhooksDatabase } from "../testing/webhooks-database.ts";
import { cleanUpEndpoints, deleteExpiredEvents } from "./background-jobs.ts";
import { findEndpoint, insertEndpoint, listEndpoints, recordHeartbeat } from "./endpoints/endpoints.ts";

const { query: db } = await webhooksDatabase();
const now = new Date("2026-03-01T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const userId = await createOwner(db);
const request = { userId, url: "https://receiver.example/" };
const tables = ["webhook_endpoints", "webhook_deliveries", "webhook_attempts", "events"] as const;
const emit = (time: Date, count = 1) =>
  emitEvents(
    db,
    Array.from({ length: count }, () => ({
      type: "beat.created" as const,
      data: {},
      at: time,
      audience: "everyone" as const,
    })),
  );
const count = async (table: (typeof tables)[number]) => (await db.selectFrom(table).select("id").execute()).length;

beforeEach(async () => {
  for (const table of tables) await db.deleteFrom(table).execute();
});

test("events, deliveries, attempts and receipts are deleted after 30 days, in batches, and no earlier", async () => {
  const { endpoint } = await createEndpoint(db, request, { allowPrivate: false, now });
  const receipt = {
    endpoint_id: endpoint.id,
    delivery_id: 1,
    headers: {},
    body: "{}",
    computed_signature: "",
    secret_end: "",
    verified: true,
  };
  for (const received_at of [daysAgo(31), daysAgo(29)])
    await db
      .insertInto("webhook_receipts")
      .values({ ...receipt, received_at })
      .execute();
  await emit(daysAgo(31), 5_100);
  await emit(daysAgo(29));
  for (const { id } of await db.selectFrom("webhook_deliveries").select("id").orderBy("id", "desc").limit(2).execute())
    await db
      .insertInto("webhook_attempts")
      .values({ delivery_id: id, attempted_at: now, status: 200, duration_ms: 1, error: null, answer: "" })
      .execute();
  expect(await deleteExpiredEvents(db, now)).toBe(5_100);
  expect(await Promise.all(tables.slice(1).map(count))).toEqual([1, 1, 1]);
  expect(await db.selectFrom("webhook_receipts").select("received_at").execute()).toEqual([
    { received_at: daysAgo(29) },
  ]);
  expect(await deleteExpiredEvents(db, now)).toBe(0);
});

test("a forwarding endpoint and its deliveries are deleted 30 seconds after the last heartbeat", async () => {
  const other = await createEndpoint(db, request, { allowPrivate: false, now });
  const row = { user_id: userId, url: request.url, kind: "listen", listener_seen_at: now, created_at: now };
  const forwarding = await insertEndpoint(db, row, "whsec_x", secrets);
  expect(await listEndpoints(db, "operator")).toEqual([other.endpoint]);
  await emit(now);
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  await recordHeartbeat(db, forwarding.id, later(5));
  await cleanUpEndpoints(db, later(35));
  expect(await count("webhook_deliveries")).toBe(2);
  await cleanUpEndpoints(db, later(36));
  expect(await count("webhook_deliveries")).toBe(1);
  await expect(findEndpoint(db, forwarding.id, "operator")).rejects.toMatchObject({ status: 404 });
  await expect(recordHeartbeat(db, forwarding.id, later(36))).rejects.toThrow("Start listening again");
});

test("deliveries queued while their endpoint was being disabled are skipped", async () => {
  const { endpoint } = await createEndpoint(db, request, { allowPrivate: false, now });
  await emit(now);
  await db
    .updateTable("webhook_endpoints")
    .set({ state: "disabled", disabled_at: now, disabled_reason: "Because." })
    .where("id", "=", endpoint.id)
    .execute();
  await cleanUpEndpoints(db, now);
  expect(await db.selectFrom("webhook_deliveries").select("state").execute()).toEqual([{ state: "skipped" }]);
});
