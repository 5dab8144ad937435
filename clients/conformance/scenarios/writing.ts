import assert from "node:assert/strict";
import { direct } from "../runner/service.ts";
import { Actor, type Bed, expectSuccess, receivedData, type Scenario } from "./scenario.ts";

export const writing: Scenario[] = [
  {
    name: "9 a profile with one field null and one absent",
    run: async (bed) => {
      const actor = new Actor(bed, "9");
      expectSuccess(await actor.call("updateProfile", { bio: "to be cleared", website: "https://example.com/stays" }));
      bed.proxy.begin();
      const { value } = expectSuccess(await actor.call("updateProfile", { bio: null, display_name: "Zoë / 😀" }));
      const [request] = bed.proxy.requests;
      assert.deepEqual([request?.method, request?.url], ["PUT", "/v1/users/profile"]);
      assert.match(request?.headers["content-type"] ?? "", /^application\/json/);
      assert.deepEqual(JSON.parse(request?.body ?? ""), { bio: null, display_name: "Zoë / 😀" });
      assert.deepEqual(value, receivedData(bed).user);
      assert.deepEqual([value.bio, value.website], [null, "https://example.com/stays"]);
    },
  },
  {
    name: "10 an order whose response is lost",
    run: async (bed) => {
      const { proxy, facts } = bed;
      const before = await orderCount(bed);
      proxy.begin((_, index) => (index === 0 ? { kind: "lose" } : undefined));
      const order = { beat_id: facts.beats[0], payment_method: "pm_card_visa", license_type: "premium" };
      const { value, meta } = expectSuccess(await new Actor(bed, "10").call("createOrder", order));
      assert.deepEqual(
        proxy.requests.map(({ method, url, body }) => [method, url, JSON.parse(body)]),
        [
          ["POST", "/v1/orders", order],
          ["POST", "/v1/orders", order],
        ],
      );
      const [first, second] = proxy.requests.map(({ headers }) => headers["idempotency-key"]);
      assert.ok(first);
      assert.equal(first, second);
      assert.equal(proxy.requests[1]?.response?.headers["idempotent-replayed"], "true");
      assert.equal(await orderCount(bed), before + 1);
      assert.deepEqual(value, receivedData(bed, 1).order);
      assert.equal(meta.status, 201);
    },
  },
  {
    name: "11 idempotency keys",
    run: async (bed) => {
      const { proxy, facts } = bed;
      const actor = new Actor(bed, "11");
      const order = { beat_id: facts.beats[1], payment_method: "pm_card_visa" };
      proxy.begin();
      expectSuccess(await actor.call("createOrder", order));
      expectSuccess(await actor.call("createOrder", order));
      expectSuccess(await actor.call("createOrder", { ...order, idempotency_key: `mine-of-${bed.language}` }));
      expectSuccess(await actor.do("request", { method: "POST", path: "/orders", body: order }));
      const keys = proxy.requests.map(({ headers }) => String(headers["idempotency-key"] ?? ""));
      assert.equal(keys[2], `mine-of-${bed.language}`);
      assert.equal(new Set(keys).size, 4);
      for (const key of keys) assert.match(key, /^[\x21-\x7e]{8,255}$/);
      for (const { body } of proxy.requests) assert.deepEqual(JSON.parse(body), order);
    },
  },
  {
    name: "63 a checkout whose response is lost",
    run: async (bed) => {
      const { proxy, facts } = bed;
      const actor = new Actor(bed, "63");
      const items = [{ beat_id: facts.beats[0], license_type: "premium" }, { beat_id: facts.beats[1] }];
      proxy.begin((_, index) => (index === 0 ? { kind: "lose" } : undefined));
      const { value, meta } = expectSuccess(await actor.call("createCheckout", { items, email: "buyer@example.com" }));
      assert.equal(meta.status, 201);
      for (const { body } of proxy.requests) assert.deepEqual(JSON.parse(body), { items, email: "buyer@example.com" });
      const [first, second] = proxy.requests.map(({ headers }) => headers["idempotency-key"]);
      assert.ok(first);
      assert.equal(first, second);
      assert.deepEqual(value, receivedData(bed, 1).checkout);
      assert.equal(value.status, "open");
      proxy.begin();
      const readCheckout = expectSuccess(await actor.call("getCheckout", { checkout_id: value.id }));
      assert.deepEqual(readCheckout.value, value);
      assert.equal(proxy.requests[0]?.url, `/v1/checkouts/${value.id}`);
    },
  },
  {
    name: "65 a quote with an unknown code",
    run: async (bed) => {
      const { proxy, facts } = bed;
      const actor = new Actor(bed, "65");
      const items = [{ beat_id: facts.beats[0], license_type: "premium" }, { beat_id: facts.beats[1] }];
      proxy.begin();
      const { value, meta } = expectSuccess(await actor.call("createQuote", { items, discount_code: "NOBODY" }));
      assert.equal(meta.status, 200);
      assert.equal(proxy.requests[0]?.url, "/v1/quotes");
      assert.deepEqual(JSON.parse(proxy.requests[0]?.body ?? ""), { items, discount_code: "NOBODY" });
      assert.deepEqual(value, receivedData(bed, 0).quote);
      assert.deepEqual(value.rules.at(-1), {
        id: null,
        name: null,
        kind: null,
        code: "NOBODY",
        applied: false,
        amount: 0,
        reason: "There is no discount with this code.",
      });
    },
  },
  {
    name: "64 favorites, follows and a playlist",
    run: async (bed) => {
      const { proxy, facts } = bed;
      const actor = new Actor(bed, "64");
      const [firstBeat, secondBeat] = facts.beats;
      proxy.begin();
      assert.equal(expectSuccess(await actor.call("addFavorite", { beat_id: firstBeat })).value.beat_id, firstBeat);
      expectSuccess(await actor.call("addFavorite", { beat_id: firstBeat }));
      const favorites = expectSuccess(await actor.call("listFavorites", { limit: 1 }));
      assert.equal(favorites.value.items[0].id, firstBeat);
      assert.equal(expectSuccess(await actor.call("removeFavorite", { beat_id: firstBeat })).value.created_at, null);
      proxy.begin((_, index) => (index === 0 ? { kind: "lose" } : undefined));
      const playlist = expectSuccess(
        await actor.call("createPlaylist", { title: "Drives", beat_ids: [secondBeat, firstBeat] }),
      ).value;
      const [first, second] = proxy.requests.map(({ headers }) => headers["idempotency-key"]);
      assert.ok(first);
      assert.equal(first, second);
      assert.deepEqual(
        playlist.beats.map(({ id }: { id: number }) => id),
        [secondBeat, firstBeat],
      );
      const playlistArguments = { playlist_id: playlist.id };
      const shorter = expectSuccess(
        await actor.call("removePlaylistBeat", { ...playlistArguments, beat_id: secondBeat }),
      ).value;
      assert.deepEqual(
        shorter.beats.map(({ id }: { id: number }) => id),
        [firstBeat],
      );
      expectSuccess(await actor.call("addPlaylistBeat", { ...playlistArguments, beat_id: secondBeat }));
      const changedPlaylist = expectSuccess(
        await actor.call("updatePlaylist", { ...playlistArguments, visibility: "public" }),
      ).value;
      assert.deepEqual(expectSuccess(await actor.call("getPlaylist", playlistArguments)).value, changedPlaylist);
      assert.equal(changedPlaylist.beats_count, 2);
      expectSuccess(await actor.call("deletePlaylist", playlistArguments));
      const deletedPlaylist = await actor.call("getPlaylist", playlistArguments);
      assert.ok("error" in deletedPlaylist);
      const producer = expectSuccess(await actor.call("listProducers", { limit: 1 })).value.items[0].id;
      assert.equal(expectSuccess(await actor.call("followUser", { user_id: producer })).value.user_id, producer);
      assert.equal(expectSuccess(await actor.call("listFollowing", {})).value.items[0].id, producer);
      assert.equal(expectSuccess(await actor.call("unfollowUser", { user_id: producer })).value.created_at, null);
      assert.equal(expectSuccess(await actor.call("listPlaylists", {})).value.pagination.total, 0);
    },
  },
];

async function orderCount({ service, account }: Bed): Promise<number> {
  const page = await direct<{ pagination: { total: number } }>(service, account.apiKey, "/orders?limit=1");
  return page.pagination.total;
}
