import { expect, test } from "vitest";
import { emit as emitEvents } from "../../testing/fixture.ts";
import { webhooksDatabase } from "../../testing/webhooks-database.ts";

const { query: db } = await webhooksDatabase();
const time = new Date("2026-03-01T12:00:00.750Z");

test("an event's payload is exactly id, created, type and data", async () => {
  await emitEvents(db, [{ type: "user.registered", data: { id: 7 }, at: time, audience: "everyone" }]);
  const event = await db.selectFrom("events").selectAll().executeTakeFirstOrThrow();
  expect(event.payload).toBe(
    `{"id":"${event.id}","created":${Date.UTC(2026, 2, 1, 12) / 1000},"type":"user.registered","data":{"id":7}}`,
  );
  expect(event).toMatchObject({ type: "user.registered", created_at: time, audience: null });
});

test("ids sort by time and never repeat", async () => {
  await db.deleteFrom("events").execute();
  const times = Array.from({ length: 200 }, (_, index) => new Date(Date.UTC(1990 + index, 0, 1)));
  await emitEvents(
    db,
    times.toReversed().map((time) => ({ type: "beat.created", data: {}, at: time, audience: "everyone" })),
  );
  const events = await db.selectFrom("events").select(["id", "created_at"]).orderBy("id").execute();
  expect(events.map(({ created_at }) => created_at)).toEqual(times);
  for (const { id } of events) expect(id).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/);

  await emitEvents(
    db,
    Array.from({ length: 12_000 }, () => ({ type: "beat.updated", data: {}, at: time, audience: [3, 5] })),
  );
  const emitted = await db.selectFrom("events").select(["id", "audience"]).where("type", "=", "beat.updated").execute();
  expect(new Set(emitted.map(({ id }) => id)).size).toBe(12_000);
  expect(emitted[0]?.audience).toEqual([3, 5]);
});

test("a rolled-back transaction leaves no event", async () => {
  await db.deleteFrom("events").execute();
  const failing = db.transaction().execute(async (transaction) => {
    await emitEvents(transaction, [{ type: "user.updated", data: {}, at: time, audience: "everyone" }]);
    throw new Error("the transaction failed");
  });
  await expect(failing).rejects.toThrow("transaction failed");
  expect(await db.selectFrom("events").select("id").execute()).toEqual([]);
});
