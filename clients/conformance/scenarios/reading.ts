import assert from "node:assert/strict";
import type { Fault } from "../runner/fault-proxy.ts";
import { changing } from "../runner/fault-proxy.ts";
import { Actor, type Bed, expectFailure, expectSuccess, queryOf, receivedData, type Scenario } from "./scenario.ts";

/** Lists with 45 items each. */
export const lists = ({ facts }: Bed) =>
  [
    ["listBeats", { genre: facts.genre }, facts.beats],
    ["listProducers", { sort: "name" }, facts.producers],
    ["listOrders", { status: "completed" }, facts.orders],
    ["search", { q: "lantern", type: "beats" }, facts.searchHits],
  ] as const;

export const reading: Scenario[] = [
  {
    name: "1 list with filters",
    run: async (bed) => {
      const { proxy, facts, account } = bed;
      proxy.begin();
      const { value } = expectSuccess(
        await new Actor(bed, "1").call("listBeats", {
          limit: 5,
          sort: "newest",
          genre: facts.genre,
          producer: null,
          page: null,
        }),
      );
      assert.equal(proxy.requests.length, 1);
      const [request] = proxy.requests;
      assert.equal(request?.method, "GET");
      assert.equal(request?.url.split("?")[0], "/v1/beats");
      assert.deepEqual(queryOf(request as never), { limit: "5", sort: "newest", genre: String(facts.genre) });
      assert.equal(request?.headers.authorization, `Bearer ${account.apiKey}`);
      assert.equal(request?.headers.accept, "application/json");
      const { beats, pagination } = receivedData(bed);
      assert.equal(pagination.total, 45);
      assert.deepEqual(value, { items: beats, pagination });
    },
  },
  {
    name: "2 iterate over 45 items, 10 per page",
    run: async (bed) => {
      for (const [operation, filters, ids] of lists(bed)) {
        assert.equal(ids.length, 45);
        bed.proxy.begin();
        const { items, errors } = await new Actor(bed, "2").iterate(operation, { limit: 10, ...filters });
        assert.deepEqual(errors, [], operation);
        assert.deepEqual(items, ids, operation);
        assert.equal(bed.proxy.requests.length, 5, operation);
        const expectedQuery = Object.fromEntries(
          Object.entries({ limit: 10, ...filters }).map(([k, v]) => [k, String(v)]),
        );
        for (const request of bed.proxy.requests)
          assert.deepEqual({ ...queryOf(request), ...expectedQuery }, queryOf(request), `${operation}: ${request.url}`);
      }
    },
  },
  {
    name: "3 max_items of 25 and 0",
    run: async (bed) => {
      for (const [operation, filters, ids] of lists(bed)) {
        bed.proxy.begin();
        const actor = new Actor(bed, "3");
        const capped = await actor.iterate(operation, { limit: 10, ...filters }, { max_items: 25 });
        assert.deepEqual(capped, { items: ids.slice(0, 25), errors: [] }, operation);
        assert.equal(bed.proxy.requests.length, 3, operation);
        bed.proxy.begin();
        const noItems = await actor.iterate(operation, { limit: 10, ...filters }, { max_items: 0 });
        assert.deepEqual(noItems, { items: [], errors: [] }, operation);
        assert.equal(bed.proxy.requests.length, 0, `${operation} requested pages despite max_items 0`);
      }
    },
  },
  {
    name: "4 an empty list, an empty page in the middle",
    run: async (bed) => {
      const { proxy, facts } = bed;
      const actor = new Actor(bed, "4");
      proxy.begin();
      assert.deepEqual(await actor.iterate("listBeats", { genre: 99_999_999 }), { items: [], errors: [] });
      assert.equal(proxy.requests.length, 1);
      const emptied = changing((data) => data.beats.splice(0));
      proxy.begin((_, index) => (index === 1 ? emptied : undefined));
      assert.deepEqual(await actor.iterate("listBeats", { limit: 10, genre: facts.genre }), {
        items: [...facts.beats.slice(0, 10), ...facts.beats.slice(20)],
        errors: [],
      });
    },
  },
  {
    name: "5 the next page on another origin, and on itself",
    run: async (bed) => {
      const { proxy, elsewhere, facts, account } = bed;
      const actor = new Actor(bed, "5");
      const withNextPage = (url: (urlOf: string) => string): Fault =>
        changing((data) => {
          data.pagination.next_page_url = url(data.pagination.next_page_url);
        });
      elsewhere.begin();
      const onOtherOrigin = (next: string): string => next.replace(proxy.origin, elsewhere.origin);
      const userInfo = (next: string): string => next.replace("https://", `https://${account.email.split("@")[0]}@`);
      for (const url of [
        onOtherOrigin,
        (next: string) => userInfo(onOtherOrigin(next)),
        () => "https://[",
        () => "javascript:1",
      ]) {
        proxy.begin(() => withNextPage(url));
        const { items, errors } = await actor.iterate("listBeats", { limit: 10, genre: facts.genre });
        assert.deepEqual(items, facts.beats.slice(0, 10));
        assert.equal(errors.length, 1);
        const error = expectFailure({ error: errors[0] }, "APIStatusError");
        assert.equal(error.status, 200);
        assert.equal(proxy.requests.length, 1);
      }
      assert.equal(elsewhere.requests.length, 0);

      proxy.begin((request) => withNextPage(() => `${proxy.origin}${request.url}`));
      const stoppedList = await actor.iterate("listBeats", { limit: 10, genre: facts.genre });
      assert.deepEqual(stoppedList, { items: facts.beats.slice(0, 10), errors: [] });
      assert.equal(proxy.requests.length, 1);

      // The second page names the first page as its next page.
      proxy.begin((_, index) =>
        index === 1 ? withNextPage(() => `${proxy.origin}${proxy.requests[0]?.url}`) : undefined,
      );
      const circled = await actor.iterate("listBeats", { limit: 10, genre: facts.genre });
      assert.deepEqual(circled, { items: facts.beats.slice(0, 20), errors: [] });
      assert.equal(proxy.requests.length, 2);
    },
  },
  {
    name: "6 odd ids",
    leftOut: { go: "the ids of beats are integers, which the compiler checks" },
    run: async (bed) => {
      const actor = new Actor(bed, "6");
      for (const id of ["a/../b", "é 😀", "1?x=y#z", "%2e%2e", "a\\b"]) {
        bed.proxy.begin();
        expectFailure(await actor.call("getBeat", { beat_id: id }), "InvalidRequestError");
        assert.equal(bed.proxy.requests.length, 1, id);
        const [, version, noun, segment, ...furtherSegments] = (bed.proxy.requests[0]?.url ?? "").split("/");
        assert.deepEqual([version, noun, decodeURIComponent(segment ?? ""), furtherSegments], ["v1", "beats", id, []]);
        assert.match(segment ?? "", /^[A-Za-z0-9\-._~%]+$/, id);
      }
      const operations = [
        ["getBeat", "beat_id"],
        ["listSimilarBeats", "beat_id"],
        ["getUser", "user_id"],
        ["getOrder", "order_id"],
      ] as const;
      bed.proxy.begin();
      for (const [operation, name] of operations)
        for (const id of ["", ".", ".."]) expectFailure(await actor.call(operation, { [name]: id }), "BeatMarketError");
      assert.equal(bed.proxy.requests.length, 0);
    },
  },
  {
    name: "7 a search with odd characters",
    run: async (bed) => {
      for (const q of ["a&b=c +#", "%41 é 😀 ' \" ; / ?"]) {
        bed.proxy.begin();
        expectSuccess(await new Actor(bed, "7").call("search", { q }));
        assert.deepEqual(queryOf(bed.proxy.requests[0] as never), { q });
      }
    },
  },
  {
    name: "8 typed results that keep unknown fields and values",
    run: async (bed) => {
      const actor = new Actor(bed, "8");
      const { facts } = bed;
      const [beat = 0, producer = 0, order = 0] = [facts.beats[0], facts.producers[0], facts.orders[0]];
      const surprise = { deep: [1, { more: null }], text: "neu" };
      // biome-ignore lint/suspicious/noExplicitAny: a response of any operation.
      type Data = any;
      const cases: [string, object, (data: Data) => Data, (data: Data) => void, string[]][] = [
        [
          "getBeat",
          { beat_id: beat },
          (data) => data.beat,
          ({ beat }) => {
            Object.assign(beat, { surprise, key: "H minor" });
            beat.licenses[0].type = "film";
          },
          ["id", "title", "genre.name", "price", "licenses.0.type", "licenses.1.available", "tags", "updated_at"],
        ],
        [
          "listSimilarBeats",
          { beat_id: beat, limit: 3 },
          (data) => data.beats,
          ({ beats }) => {
            beats[0].surprise = surprise;
            beats[0].similarity.key_relation = "distant";
          },
          ["0.title", "0.similarity.score", "0.similarity.key_relation", "2.genre.id"],
        ],
        [
          "getUser",
          { user_id: producer },
          (data) => data.user,
          ({ user }) => Object.assign(user, { surprise }),
          ["display_name", "bio", "is_producer", "beats_count", "created_at"],
        ],
        [
          "listGenres",
          {},
          (data) => data.genres,
          ({ genres }) => Object.assign(genres[0], { surprise }),
          ["0.name", "0.slug", "1.beats_count"],
        ],
        [
          "listProducers",
          { limit: 2 },
          ({ producers: items, pagination }) => ({ items, pagination }),
          ({ producers }) => Object.assign(producers[0], { surprise }),
          ["items.0.username", "items.0.genres.0.name", "items.1.play_count", "pagination.total"],
        ],
        [
          "listBeats",
          { limit: 2 },
          ({ beats: items, pagination }) => ({ items, pagination }),
          ({ beats, pagination }) => Object.assign(beats[1], { surprise }) && Object.assign(pagination, { surprise }),
          ["items.0.producer_name", "items.1.play_count", "pagination.last_page"],
        ],
        [
          "search",
          { q: "lantern", limit: 2 },
          (data) => data,
          ({ beats }) => Object.assign(beats[0], { surprise }),
          ["beats.0.title", "beats.1.cover_image", "pagination.total"],
        ],
        [
          "listOrders",
          { limit: 2 },
          ({ orders: items, pagination }) => ({ items, pagination }),
          ({ orders }) => Object.assign(orders[0], { surprise, status: "refunded" }),
          ["items.0.status", "items.0.beat.producer_name", "items.1.amount"],
        ],
        [
          "getOrder",
          { order_id: order },
          (data) => data.order,
          ({ order }) => Object.assign(order, { surprise, license_type: "film" }),
          ["id", "status", "license_type", "beat.title", "failure_reason", "completed_at"],
        ],
      ];
      for (const [operation, args, value, change, read] of cases) {
        bed.proxy.begin(() => changing(change));
        const result = expectSuccess(await actor.do("call", { operation, arguments: args, read }));
        const expected = value(receivedData(bed));
        assert.deepEqual(result.value, expected, operation);
        const valueAt = (path: string) => path.split(".").reduce((each, name) => each?.[name], expected);
        for (const path of read) assert.notEqual(valueAt(path), undefined, `${operation} has no ${path}`);
        assert.deepEqual(result.read, Object.fromEntries(read.map((path) => [path, valueAt(path)])), operation);
      }
    },
  },
];
