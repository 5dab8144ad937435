import { randomBytes } from "node:crypto";
import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import { deleteExpiredEvents } from "@beatmarket/webhooks/background-jobs.ts";
import { testEventId } from "@beatmarket/webhooks/events/event-ids.ts";
import { beforeEach, describe, expect, it, test } from "vitest";
import { consoleType, testApi } from "../../../test/harness/api.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { eventTypes } from "../webhooks/event-types.ts";
import { emitEvents, type NewEvent } from "../webhooks/outbox.ts";

const api = await testApi();
const { driver, query: db } = api.database;
const time = new Date("2026-11-22T12:00:00Z");
const old = new Date("2026-10-01T12:00:00Z");

const account = async (name: string) => {
  const email = `${name}@example.com`;
  const key = await api.makeKey({ email });
  return { key, id: (await findOrCreateAccount(db, { email })).id };
};
const [seller, buyer, marketplace] = await Promise.all([account("seller"), account("buyer"), account("market")]);
await db.updateTable("users").set({ marketplace: true }).where("id", "=", marketplace.id).execute();

interface Event {
  id: string;
  type: string;
  data: { n: number };
}
const readPage = async (query = "", key = api.key): Promise<{ events: Event[]; next: number }> =>
  (await api.get(`/v1/events${query}`, { key })).json().data;
const numbers = ({ events }: { events: Event[] }) => events.map(({ data }) => data.n);
/** An event whose data has a number, so that tests can identify the event. */
const numberedEvent = (n: number, overrides: Partial<NewEvent> = {}): NewEvent => ({
  type: "beat.created",
  data: { n },
  at: time,
  audience: "everyone",
  ...overrides,
});
const purchase = (n: number, audience: number[]) => numberedEvent(n, { type: "beat.purchased", audience });
const emit = (...events: NewEvent[]) => db.transaction().execute((transaction) => emitEvents(transaction, events));

let start = 0;
beforeEach(async () => {
  await driver`truncate events, event_feeds, event_feed_entries`;
  await emit(numberedEvent(0, { type: "user.registered" }));
  start = (await readPage()).next;
});

describe("GET /events", () => {
  it("returns public events to everyone, and a purchase to seller, buyer and marketplace accounts", async () => {
    await emit(
      numberedEvent(1),
      purchase(2, [seller.id, buyer.id]),
      purchase(3, [seller.id, seller.id]),
      numberedEvent(4),
    );
    const seenBy = async (key: string) => numbers(await readPage(`?after=${start}`, key));
    expect(await seenBy(seller.key)).toEqual([1, 2, 3, 4]);
    expect(await seenBy(buyer.key)).toEqual([1, 2, 4]);
    expect(await seenBy(marketplace.key)).toEqual([1, 2, 3, 4]);
    expect(await seenBy(api.key)).toEqual([1, 4]);
  });

  it("returns private events only to their accounts, and not to marketplace accounts", async () => {
    const privateEvent = (n: number, audience: number[]) => numberedEvent(n, { type: "upload.ready", audience });
    await emit(
      privateEvent(1, [seller.id]),
      privateEvent(2, [marketplace.id]),
      purchase(3, [seller.id]),
      purchase(4, [marketplace.id]),
    );
    const seenBy = async (key: string) => numbers(await readPage(`?after=${start}`, key));
    expect(await seenBy(seller.key)).toEqual([1, 3]);
    expect(await seenBy(marketplace.key)).toEqual([2, 3, 4]);
    const [{ id: privateEventId } = { id: "" }] = (await readPage(`?after=${start}`, seller.key)).events;
    expect((await api.get(`/v1/events/${privateEventId}`, { key: seller.key })).statusCode).toBe(200);
    expect((await api.get(`/v1/events/${privateEventId}`, { key: marketplace.key })).statusCode).toBe(404);
  });

  it("returns the bodies of webhooks, byte for byte, in either form", async () => {
    const data = {
      10: "a key like an index",
      price: 29.9,
      largest: Number.MAX_SAFE_INTEGER,
      tiny: 5e-324,
      text: 'é 𝄞 \u2028 \ud800 "\\ \n',
      ["__proto__"]: { nested: [null, true, -0] },
    };
    await emit(numberedEvent(1, { data }));
    const { payload } = await db
      .selectFrom("events")
      .select("payload")
      .where("type", "=", "beat.created")
      .executeTakeFirstOrThrow();
    const { id } = JSON.parse(payload) as { id: string };
    const bodyOf = async (path: string, accept = "application/json") => (await api.get(path, { accept })).body;
    const { next } = await readPage(`?after=${start}`);
    expect(await bodyOf(`/v1/events?after=${start}`)).toBe(
      `{"status":"success","data":{"events":[${payload}],"next":${next}}}`,
    );
    expect(await bodyOf(`/v1/events?after=${start}`, consoleType)).toBe(
      `{"success":true,"data":{"events":[${payload}],"next":${next}}}`,
    );
    expect(await bodyOf(`/v1/events/${id}`)).toBe(`{"status":"success","data":{"event":${payload}}}`);
    expect(await bodyOf(`/v1/events/${id}`, consoleType)).toBe(`{"success":true,"data":${payload}}`);
  });

  it("returns every event once in pages of 7, and a last position after the events of other accounts", async () => {
    const events = Array.from({ length: 25 }, (_, n) => (n % 5 === 0 ? purchase(n, [buyer.id]) : numberedEvent(n)));
    await emit(...events, purchase(99, [seller.id]));
    const ids: number[] = [];
    let after = start;
    for (let isLast = false; !isLast; ) {
      const page = await readPage(`?after=${after}&limit=7`, buyer.key);
      ids.push(...numbers(page));
      isLast = page.events.length < 7;
      after = page.next;
    }
    expect(ids).toEqual(events.map((_, n) => n));
    expect(await readPage(`?after=${after}`, buyer.key)).toEqual({ events: [], next: after });
  });

  it("returns with `type` only events of these types, and a position after events of other types", async () => {
    await emit(
      numberedEvent(1),
      numberedEvent(2, { type: "beat.updated" }),
      numberedEvent(3, { type: "user.updated" }),
      numberedEvent(4, { type: "beat.updated" }),
      numberedEvent(5),
    );
    expect(numbers(await readPage(`?after=${start}&type=beat.updated`))).toEqual([2, 4]);
    expect(numbers(await readPage(`?after=${start}&type=user.updated,beat.updated`))).toEqual([2, 3, 4]);
    const { next } = await readPage(`?after=${start}&type=beat.purchased`);
    expect(numbers(await readPage(`?after=${next}`))).toEqual([]);
  });

  it("begins without `after` with the oldest stored event", async () => {
    await emit(numberedEvent(1));
    expect(numbers(await readPage("?limit=1"))).toEqual([0]);
  });

  it("accepts the position of an event that the account does not read", async () => {
    await emit(purchase(1, [seller.id]));
    const { next } = await readPage("", marketplace.key);
    expect(await readPage(`?after=${next}`)).toEqual({ events: [], next });
  });

  it.each([
    ["?after=-1", "The after parameter"],
    ["?after=soon", "The after parameter"],
    ["?after=9007199254740993", "The after parameter"],
    ["?limit=0", "The limit parameter"],
    ["?limit=1001", "The limit parameter"],
    ["?wait=31", "The wait parameter"],
    ["?type=", "The type parameter"],
    ["?type=beat.updated,beat.craeted", 'names "beat.craeted", which is not an event type. Did you mean beat.created?'],
    ["?type=beat.updated,%20beat.updated", 'names "beat.updated" more than once'],
    ["?type=beat.updated&type=user.updated", "The type parameter was given more than once."],
    ["?type=sale", "The types are beat.created, "],
    ["?typ=beat.created", "Did you mean type?"],
  ])("answers 400 for %s", async (query, details) => {
    const response = await api.get(`/v1/events${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(details);
  });

  it("answers 410 for a position after the newest event", async () => {
    const response = await api.get("/v1/events?after=999999999999");
    expect(response.statusCode).toBe(410);
    expect(response.json().error.details).toMatch(/ahead of the newest event.*Begin without after/);
  });

  it("answers 401 without a key, 403 without events:read", async () => {
    expect((await api.get("/v1/events", { key: null })).statusCode).toBe(401);
    const key = await api.makeKey({ permissions: ["beats:read", "orders:read"] });
    const response = await api.get("/v1/events", { key });
    expect(response.statusCode).toBe(403);
    expect(response.json().error.details).toContain("events:read");
  });

  it("answers 410 only if a deleted event was one of the account and of the requested types", async () => {
    await emit({ ...purchase(1, [seller.id]), at: old });
    const { next: purchasePosition } = await readPage("", seller.key);
    await emit(numberedEvent(2, { type: "beat.updated" }));
    await deleteExpiredEvents(db, time);
    const statusOf = async (query: string, key: string) => (await api.get(`/v1/events${query}`, { key })).statusCode;
    expect(await statusOf(`?after=${start}`, seller.key)).toBe(410);
    expect(await statusOf(`?after=${start}`, buyer.key)).toBe(200);
    expect(await statusOf(`?after=${start}&type=beat.updated`, seller.key)).toBe(200);
    expect(await statusOf(`?after=${purchasePosition}`, seller.key)).toBe(200);
    expect(numbers(await readPage("", seller.key))).toEqual([0, 2]);
    const response = await api.get(`/v1/events?after=${start}`, { key: seller.key });
    expect(response.json().error.details).toMatch(/older than 30 days.*without after/);
    expect(await db.selectFrom("event_feed_entries").select("type").orderBy("position").execute()).toEqual([
      { type: "user.registered" },
      { type: "beat.updated" },
    ]);
  });
});

describe("GET /events/{event_id}", () => {
  it("answers 404 with the same message for an event of another account, an unknown event and a test event", async () => {
    await emit(purchase(1, [seller.id]));
    const [event] = (await readPage(`?after=${start}`, seller.key)).events;
    const { id = "" } = event ?? {};
    expect((await api.get(`/v1/events/${id}`, { key: seller.key })).statusCode).toBe(200);
    expect((await api.get(`/v1/events/${id}`, { key: marketplace.key })).statusCode).toBe(200);
    for (const missing of [id, "evt_01M7WD7TG0ZZZZZZZZZZZZZZZZ", testEventId(time.getTime(), randomBytes)]) {
      const response = await api.get(`/v1/events/${missing}`);
      expect(response.statusCode).toBe(404);
      expect(response.json().error.details).toBe(`The event ${missing} does not exist, or is older than 30 days.`);
    }
  });

  it.each(["5", "evt_1", "evt_01m7wd7tg0zzzzzzzzzzzzzzzz", "%00"])(
    "answers 400 for %s, which is not an event id",
    async (id) => {
      const response = await api.get(`/v1/events/${id}`);
      expect(response.statusCode).toBe(400);
      expect(response.json().error.details).toContain("The event_id parameter must be evt_ and 26 letters and digits.");
    },
  );

  it("answers 401 without a key, 403 without events:read", async () => {
    expect((await api.get("/v1/events/evt_1", { key: null })).statusCode).toBe(401);
    const key = await api.makeKey({ permissions: ["orders:read"] });
    expect((await api.get("/v1/events/evt_1", { key })).statusCode).toBe(403);
  });
});

describe("GET /events?wait", () => {
  test("answers as soon as there is an event of the account and type, and not before", async () => {
    const waiting = readPage(`?after=${start}&wait=30&type=beat.purchased`, seller.key);
    await emit(numberedEvent(1), purchase(2, [buyer.id]));
    await emit(purchase(3, [seller.id, buyer.id]));
    expect(numbers(await waiting)).toEqual([3]);
  });

  test("answers a marketplace account as soon as another account buys", async () => {
    const waiting = readPage(`?after=${start}&wait=30`, marketplace.key);
    await emit(purchase(1, [seller.id]));
    expect(numbers(await waiting)).toEqual([1]);
  });

  test("answers immediately if there are events", async () => {
    expect(numbers(await readPage("?wait=30"))).toEqual([0]);
  });
});

test("an account reads exactly the events that its webhook endpoint for all types receives", async () => {
  const random = seededRandom(4);
  const below = (count: number) => Math.floor(random() * count);
  const people = await Promise.all(["a", "b", "c", "d", "e"].map(account));
  const ids = people.map(({ id }) => id);
  await db.updateTable("users").set({ marketplace: true }).where("id", "in", ids.slice(3)).execute();
  await db
    .insertInto("webhook_endpoints")
    .values(ids.map((id) => ({ user_id: id, url: "https://receiver.example/", secret: "sealed", created_at: time })))
    .execute();
  const { next: before } = await readPage();
  for (let n = 0; n < 40; n++)
    await emit(
      ...Array.from({ length: 1 + below(4) }, () =>
        numberedEvent(n, {
          type: eventTypes[below(eventTypes.length)] ?? "beat.created",
          audience: random() < 0.3 ? "everyone" : Array.from({ length: below(4) }, () => ids[below(5)] ?? 0),
        }),
      ),
    );
  const received = await db
    .selectFrom("webhook_deliveries")
    .innerJoin("webhook_endpoints as endpoint", "endpoint.id", "endpoint_id")
    .select(["endpoint.user_id", "event_id"])
    .execute();
  expect(received.length).toBeGreaterThan(200);
  for (const { id, key } of people) {
    const { events } = await readPage(`?after=${before}&limit=1000`, key);
    expect(events.map((event) => event.id).toSorted()).toEqual(
      received
        .filter(({ user_id }) => user_id === id)
        .map(({ event_id }) => event_id)
        .toSorted(),
    );
  }
});
