import assert from "node:assert/strict";
import type { Result } from "../runner/driver.ts";
import { changing, type Fault, responding } from "../runner/fault-proxy.ts";
import { Actor, expectFailure, expectSuccess, receivedData, type Scenario } from "./scenario.ts";

interface Case {
  operation: string;
  args: object;
  /** The `data` of the response. */
  data: Result;
  /** The value of that data; its only member by default. */
  value?: (data: Result) => Result;
  /** The value that the client's typed access returns. */
  read: Record<string, unknown>;
}

const oddBeat = {
  id: "7",
  genre: "Techno",
  price: "29.90",
  bpm: null,
  key: 8,
  duration: { minutes: 3 },
  tags: [1, null, "warm"],
  licenses: null,
  created_at: 5,
  analysis: [],
  // `title` is missing.
};
const oddOrder = {
  id: 3,
  amount: "29.90",
  status: 4,
  beat: null,
  license_type: [],
  completed_at: false,
  next_action: "go",
};
const oddPagination = { total: "45", current_page: null, last_page: 2.5, per_page: [], next_page_url: null };
const oddItems = [null, 7, "text", [1], true];
const list = (items: Result[], key: string) => ({ [key]: items, pagination: oddPagination });
const itemsOf = ({ pagination, ...data }: Result) => ({ items: Object.values(data)[0], pagination });

const cases: Case[] = [
  {
    operation: "getBeat",
    args: { beat_id: 1 },
    data: { beat: oddBeat },
    read: {
      id: "7",
      genre: "Techno",
      price: "29.90",
      bpm: null,
      key: 8,
      tags: [1, null, "warm"],
      licenses: null,
      title: null,
    },
  },
  {
    operation: "getBeat",
    args: { beat_id: 1 },
    data: { beat: { genre: { id: null }, licenses: [null, 5, { type: 7 }], analysis: { sample_rate: "44100" } } },
    read: { "genre.id": null, "genre.name": null, "licenses.0": null, "licenses.1": 5, "licenses.2.type": 7, id: null },
  },
  { operation: "getBeat", args: { beat_id: 1 }, data: { beat: {} }, read: { id: null, genre: null, licenses: null } },
  {
    operation: "listBeats",
    args: { limit: 5 },
    data: list([...oddItems, oddBeat], "beats"),
    value: itemsOf,
    read: { "pagination.total": "45", "pagination.last_page": 2.5, "items.1": 7, "items.5.genre": "Techno" },
  },
  {
    operation: "listBeats",
    args: { limit: 5 },
    data: { beats: [], pagination: { surprise: 1 }, facets: "none", missing: { 1: 2 } },
    value: ({ beats: items, ...rest }) => ({ items, ...rest }),
    read: { "pagination.total": null },
  },
  {
    operation: "listSimilarBeats",
    args: { beat_id: 1 },
    data: { beats: [...oddItems, { ...oddBeat, similarity: null }, { similarity: { score: "high" } }] },
    read: { "0": null, "2": "text", "5.similarity": null, "6.similarity.score": "high" },
  },
  {
    operation: "search",
    args: { q: "x" },
    data: {
      beats: oddItems,
      producers: [null, { genres: null }],
      pagination: oddPagination,
      totals: 3,
      interpreted: "x",
    },
    value: (data) => data,
    read: { "beats.1": 7, "producers.1.genres": null, "pagination.total": "45" },
  },
  {
    operation: "listGenres",
    args: {},
    data: { genres: [null, { id: "1" }] },
    read: { "0": null, "1.id": "1", "1.name": null },
  },
  {
    operation: "listProducers",
    args: {},
    data: list([{ genres: [null, "x"], play_count: "9" }, ...oddItems], "producers"),
    value: itemsOf,
    read: { "items.0.genres.1": "x", "items.0.play_count": "9", "items.1": null },
  },
  {
    operation: "getUser",
    args: { user_id: 1 },
    data: { user: { created_at: 5, bio: ["x"] } },
    read: { created_at: 5, bio: ["x"] },
  },
  {
    operation: "listOrders",
    args: {},
    data: list([oddOrder, { beat: 5 }, ...oddItems], "orders"),
    value: itemsOf,
    read: { "items.0.amount": "29.90", "items.0.beat": null, "items.1.beat": 5, "items.2": null },
  },
  {
    operation: "getOrder",
    args: { order_id: 1 },
    data: { order: oddOrder },
    read: { amount: "29.90", beat: null, next_action: "go" },
  },
  {
    operation: "listSales",
    args: {},
    data: list([{ buyer: null, beat: "x", amount: [] }], "sales"),
    value: itemsOf,
    read: { "items.0.buyer": null, "items.0.beat": "x", "items.0.amount": [] },
  },
  {
    operation: "listOrderFiles",
    args: { order_id: 1 },
    data: { files: [null, { kind: 5, bytes: "12" }], license: null },
    value: (data) => data,
    read: { "files.0": null, "files.1.kind": 5, "files.1.bytes": "12", license: null },
  },
  {
    operation: "listUploads",
    args: {},
    data: { ...list([{ bytes: "12", analysis: [] }, ...oddItems], "uploads"), storage: { used_bytes: "12" } },
    value: ({ uploads: items, ...rest }) => ({ items, ...rest }),
    read: {
      "items.0.bytes": "12",
      "items.0.analysis": [],
      "items.1": null,
      "storage.used_bytes": "12",
      "storage.max_bytes": null,
    },
  },
  {
    operation: "listUploads",
    args: { limit: 1 },
    data: { ...list([], "uploads"), storage: "plenty" },
    value: ({ uploads: items, ...rest }) => ({ items, ...rest }),
    read: { storage: "plenty" },
  },
  {
    operation: "getUpload",
    args: { upload_id: "upl_1" },
    data: { upload: { status: 7, bytes: "12", analysis: "none" } },
    read: { status: 7, bytes: "12", analysis: "none", id: null },
  },
  {
    operation: "listChanges",
    args: { after: 0 },
    data: { changes: [null, { position: "7", type: "moved", beat: "x" }, { surprise: 1 }], next: "7" },
    value: (data) => data,
    read: { "changes.0": null, "changes.1.position": "7", "changes.1.beat": "x", "changes.2.type": null, next: "7" },
  },
  {
    operation: "listEvents",
    args: { after: 0 },
    data: {
      events: [
        { id: 5, type: "beat.purchased", data: null },
        { type: "beat.teleported", data: 7 },
      ],
      next: null,
    },
    value: (data) => data,
    read: { "events.0.id": 5, "events.0.data": null, "events.1.data": 7, next: null },
  },
  {
    operation: "listRequests",
    args: { status_class: "4xx" },
    data: { requests: [null, { id: 5, status: "400", key_name: [] }], next: 7, searched_to: "now" },
    value: (data) => data,
    read: { "requests.0": null, "requests.1.id": 5, "requests.1.status": "400", "requests.1.key_name": [], next: 7 },
  },
  {
    operation: "getRequest",
    args: { request_id: "01a1f3ad-8e00-7000-8000-000000000001" },
    data: { request: { id: null, headers: 7, event_ids: "none", body: {} } },
    read: { id: null, headers: 7, event_ids: "none" },
  },
  {
    operation: "getEvent",
    args: { event_id: "evt_1" },
    data: { event: { id: null, type: "beat.created", created: "now", data: { genre: [] } } },
    read: { id: null, created: "now", "data.genre": [] },
  },
  {
    operation: "createOrder",
    args: { beat_id: 1, payment_method: "pm_card_visa" },
    data: { order: oddOrder },
    read: { id: 3, amount: "29.90", status: 4, beat: null, failure_reason: null },
  },
  {
    operation: "createBeat",
    args: { title: "x", genre: 1, audio: "upl_1", price: 20 },
    data: { beat: { ...oddBeat, rejection: 7 } },
    read: { id: "7", rejection: 7, status: null },
  },
  { operation: "updateBeat", args: { beat_id: 1, price: 21 }, data: { beat: oddBeat }, read: { price: "29.90" } },
  { operation: "updateProfile", args: { bio: null }, data: { user: { bio: 7 } }, read: { bio: 7, username: null } },
];

const respondingWith = (data: unknown): Fault => responding(200, { status: "success", data });

/** The operations that write, with the place of their results. */
const writes: [string, object, string][] = [
  ["createOrder", { beat_id: 1, payment_method: "pm_card_visa" }, "order"],
  ["createBeat", { title: "x", genre: 1, audio: "upl_1", price: 20 }, "beat"],
  ["updateBeat", { beat_id: 1, price: 21 }, "beat"],
  ["withdrawBeat", { beat_id: 1 }, "beat"],
  ["updateProfile", { bio: null }, "user"],
  ["retryUpload", { upload_id: "upl_1" }, "upload"],
];

export const oddFields: Scenario[] = [
  {
    name: "49 known fields null, missing and of another type",
    run: async (bed) => {
      const actor = new Actor(bed, "49");
      const onlyMember = (data: Result): Result => Object.values(data)[0];
      for (const { operation, args, data, value = onlyMember, read } of cases) {
        bed.proxy.begin(() => respondingWith(data));
        const callArguments = { operation, arguments: args, read: Object.keys(read) };
        const result = expectSuccess(await actor.do("call", callArguments));
        assert.deepEqual(result.value, value(receivedData(bed)), operation);
        assert.deepEqual(result.read, read, operation);
        assert.equal(bed.proxy.requests.length, 1);
      }
    },
  },
  {
    name: "49 lists with odd items and odd pages",
    run: async (bed) => {
      const { proxy, facts, elsewhere } = bed;
      const actor = new Actor(bed, "49");
      elsewhere.begin();
      const args = { limit: 10, genre: facts.genre };
      const next = (url: unknown): Fault =>
        changing(({ pagination }) => Object.assign(pagination, { next_page_url: url }));
      proxy.begin((_, index) =>
        index === 1 ? changing(({ beats }) => beats.splice(0, beats.length, ...oddItems, { id: "7" }, {})) : undefined,
      );
      const mixedList = await actor.iterate("listBeats", args);
      assert.deepEqual(mixedList.errors, []);
      assert.deepEqual(mixedList.items, [
        ...facts.beats.slice(0, 10),
        ...oddItems,
        "7",
        null,
        ...facts.beats.slice(20),
      ]);
      const odd = changing(({ pagination }) =>
        Object.assign(pagination, { total: "45", last_page: null, current_page: {} }),
      );
      proxy.begin(() => odd);
      assert.deepEqual(await actor.iterate("listBeats", args), { items: facts.beats, errors: [] });
      for (const fault of [next(null), changing(({ pagination }) => delete pagination.next_page_url)]) {
        proxy.begin(() => fault);
        assert.deepEqual(await actor.iterate("listBeats", args), { items: facts.beats.slice(0, 10), errors: [] });
      }
      for (const url of [7, {}, [], true, ""]) {
        proxy.begin(() => next(url));
        const { items, errors } = await actor.iterate("listBeats", args);
        assert.deepEqual(items, facts.beats.slice(0, 10));
        expectFailure({ error: errors[0] }, "APIStatusError");
        assert.equal(proxy.requests.length, 1);
      }
    },
  },
  {
    name: "49 a resource that is missing from a response",
    run: async (bed) => {
      const { proxy } = bed;
      const actor = new Actor(bed, "49");
      for (const body of [{}, null, "text", 7, []]) {
        const dataWith = (key: string): object =>
          body !== null && typeof body === "object" && !Array.isArray(body) ? body : { [key]: body };
        for (const [operation, args, key] of writes) {
          proxy.begin(() => respondingWith(dataWith(key)));
          assert.deepEqual(expectSuccess(await actor.call(operation, args)).value, {}, operation);
          assert.equal(proxy.requests.length, 1, operation);
        }
        proxy.begin(() => respondingWith(dataWith("order")));
        expectFailure(await actor.call("getOrder", { order_id: 1 }), "APIStatusError");
        assert.equal(proxy.requests.length, 1);
      }
      // Without the envelope the outcome is unknown, and a retry uses the same key.
      for (const body of ["{}", "<html>", '{"status":"success"}']) {
        proxy.begin(() => responding(201, body));
        const order = { beat_id: 1, payment_method: "pm_card_visa" };
        const error = expectFailure(await actor.call("createOrder", order), "APIStatusError");
        assert.equal(error.idempotency_key, proxy.requests[0]?.headers["idempotency-key"]);
      }
    },
  },
  {
    name: "49 errors with odd fields",
    run: async (bed) => {
      const { proxy } = bed;
      const actor = new Actor(bed, "49");
      const errors = [
        { code: 7, message: ["x"], details: { a: 1 } },
        { code: null, message: null },
        {},
        "text",
        null,
        [],
        7,
      ];
      for (const error of errors) {
        proxy.begin(() => responding(404, { status: "error", error }));
        const failed = expectFailure(await actor.call("getBeat", { beat_id: 1 }), "NotFoundError");
        assert.deepEqual([failed.code, failed.details], [null, null], JSON.stringify(error));
        assert.equal(typeof failed.message, "string");
        assert.equal(failed.text, `404: ${failed.message}`);
      }
      const code = { code: "not_found", message: 5, details: "Gone." };
      proxy.begin(() => responding(404, { status: "error", error: code }));
      const failed = expectFailure(await actor.call("getBeat", { beat_id: 1 }), "NotFoundError");
      assert.deepEqual([failed.code, failed.details], ["not_found", "Gone."]);
      assert.equal(failed.text, `404 not_found: ${failed.message}: Gone.`);
    },
  },
];
