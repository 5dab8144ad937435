import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, it, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { type SignedInVisitor, testPortal } from "../../../test/harness/portal.ts";

const clock = new FakeClock(Date.UTC(2026, 10, 26, 12));
const portal = await testPortal({ clock });
const { api } = portal;
const { query: db, driver } = portal.database;
let beats: number[] = [];
let ada: SignedInVisitor;
let keys: { ada: string; bob: string };

beforeAll(async () => {
  beats = await insertBeats(
    portal.database,
    Array.from({ length: 6 }, (_, index) => ({ title: `Beat ${index}`, producer: `Maker ${index % 2}` })),
  );
  ada = await portal.signUp("ada@example.com");
  keys = { ada: await api.makeKey({ email: "ada@example.com" }), bob: await api.makeKey({ email: "bob@example.com" }) };
});

const send = (method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, payload?: object, key = keys.ada) => {
  clock.advance(1_000);
  return api.request({
    method,
    url: `/v1${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...(payload !== undefined && { payload }),
  });
};
const idsOf = async (path: string, name = "beats", key = keys.ada): Promise<number[]> =>
  (await send("GET", path, undefined, key)).json().data[name].map(({ id }: { id: number }) => id);

describe("favorites", () => {
  it("are listed newest first, in pages in both directions, and keep their time if they are set again", async () => {
    for (const id of beats.slice(0, 5)) expect((await send("PUT", `/users/me/favorites/${id}`)).statusCode).toBe(200);
    const newest = beats.slice(0, 5).toReversed();
    await send("PUT", `/users/me/favorites/${beats[0]}`);
    expect(await idsOf("/users/me/favorites")).toEqual(newest);
    const first = (await send("GET", "/users/me/favorites?limit=2")).json().data;
    const next = new URL(first.pagination.next_page_url);
    const second = (await send("GET", `/users/me/favorites${next.search}`)).json().data;
    expect(second.beats.map(({ id }: { id: number }) => id)).toEqual(newest.slice(2, 4));
    expect(second.pagination).toMatchObject({ total: 5, current_page: 2, last_page: 3 });
    expect(await idsOf("/users/me/favorites?limit=2&page=3")).toEqual(newest.slice(4));
    const back = new URL(second.pagination.prev_page_url).search;
    expect(await idsOf(`/users/me/favorites${back}`)).toEqual(newest.slice(0, 2));
  });

  it("belong to one account, and can be removed by DELETE, which may be repeated", async () => {
    expect(await idsOf("/users/me/favorites", "beats", keys.bob)).toEqual([]);
    for (const _ of [1, 2]) {
      const removed = await send("DELETE", `/users/me/favorites/${beats[1]}`);
      expect(removed.json().data.favorite).toEqual({ beat_id: beats[1], created_at: null });
    }
    expect(await idsOf("/users/me/favorites")).not.toContain(beats[1]);
  });

  it("neither show nor accept a beat while it is off sale", async () => {
    await db.updateTable("beats").set({ is_listed: false }).where("id", "=", Number(beats[2])).execute();
    const page = (await send("GET", "/users/me/favorites")).json().data;
    expect([page.pagination.total, page.beats.length]).toEqual([3, 3]);
    const refusal = await send("PUT", `/users/me/favorites/${beats[2]}`, undefined, keys.bob);
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([
      404,
      `Beat ${beats[2]} does not exist, or is not on sale.`,
    ]);
    await db.updateTable("beats").set({ is_listed: true }).where("id", "=", Number(beats[2])).execute();
    expect(await idsOf("/users/me/favorites")).toContain(beats[2]);
  });

  it("are limited to 5,000", async () => {
    await driver`insert into favorites (user_id, beat_id, created_at)
      select (select id from users where email = 'bob@example.com'), id, now() from beats where id = any(${beats.slice(0, 1)})`;
    const extra = await insertBeats(
      portal.database,
      Array.from({ length: 5_000 }, () => ({})),
    );
    await driver`insert into favorites (user_id, beat_id, created_at)
      select (select id from users where email = 'bob@example.com'), id, now() from beats where id = any(${extra.slice(1)})`;
    const refusal = await send("PUT", `/users/me/favorites/${extra[0]}`, undefined, keys.bob);
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([
      409,
      "An account has at most 5,000 favorites; remove one first.",
    ]);
    await driver`delete from favorites where beat_id = any(${extra})`;
    await driver`delete from beats where id = any(${extra})`;
  });
});

describe("follows", () => {
  const producerIds = async () =>
    (await driver`select id::int from users where display_name like 'Maker %' order by id`).map(({ id }) => Number(id));

  it("list the producers newest first, and can be removed by DELETE", async () => {
    const [one = 0, two = 0] = await producerIds();
    for (const id of [one, two, one]) expect((await send("PUT", `/users/me/following/${id}`)).statusCode).toBe(200);
    expect(await idsOf("/users/me/following", "users")).toEqual([two, one]);
    expect(await idsOf("/users/me/following", "users", keys.bob)).toEqual([]);
    await send("DELETE", `/users/me/following/${two}`);
    expect(await idsOf("/users/me/following", "users")).toEqual([one]);
  });

  it("are rejected for the account itself, for unknown users, and for users without beats", async () => {
    const self = await send("PUT", `/users/me/following/${ada.userId}`);
    expect([self.statusCode, self.json().error.details]).toEqual([409, "You cannot follow yourself."]);
    const [bob] = await driver`select id::int from users where email = 'bob@example.com'`;
    for (const id of [999_999, bob?.id]) {
      const refusal = await send("PUT", `/users/me/following/${id}`);
      expect([refusal.statusCode, refusal.json().error.details]).toEqual([
        404,
        `User ${id} does not exist, or sells no beats.`,
      ]);
    }
  });
});

describe("playlists", () => {
  const create = async (fields: object = {}, key = keys.ada) =>
    (await send("POST", "/playlists", { title: "Drives", ...fields }, key)).json().data.playlist;
  const beatsOf = async (id: string, key = keys.ada) =>
    (await send("GET", `/playlists/${id}`, undefined, key))
      .json()
      .data.playlist.beats.map((beat: { id: number }) => beat.id);

  it("are private by default; everyone with the id can read a public playlist, but only its owner can change it", async () => {
    const { id, visibility } = await create({ beat_ids: beats.slice(0, 2) });
    expect(visibility).toBe("private");
    const hidden = await send("GET", `/playlists/${id}`, undefined, keys.bob);
    expect([hidden.statusCode, hidden.json().error.details]).toEqual([
      404,
      `There is no playlist "${id}", or it is private.`,
    ]);
    await send("PATCH", `/playlists/${id}`, { visibility: "public" });
    expect(await beatsOf(id, keys.bob)).toEqual(beats.slice(0, 2));
    for (const refusal of [
      await send("PATCH", `/playlists/${id}`, { title: "Mine" }, keys.bob),
      await send("DELETE", `/playlists/${id}`, undefined, keys.bob),
      await send("PUT", `/playlists/${id}/beats/${beats[3]}`, undefined, keys.bob),
      await send("DELETE", `/playlists/${id}/beats/${beats[0]}`, undefined, keys.bob),
    ])
      expect(refusal.statusCode).toBe(404);
    expect(await beatsOf(id)).toEqual(beats.slice(0, 2));
  });

  it("keep the order of their beats, and can be changed and deleted", async () => {
    const [a = 0, b = 0, c = 0] = beats;
    const { id } = await create({ beat_ids: [a, b] });
    await send("PUT", `/playlists/${id}/beats/${c}`);
    await send("PUT", `/playlists/${id}/beats/${a}`);
    expect(await beatsOf(id)).toEqual([a, b, c]);
    await send("PATCH", `/playlists/${id}`, { beat_ids: [c, a, b] });
    expect(await beatsOf(id)).toEqual([c, a, b]);
    await send("DELETE", `/playlists/${id}/beats/${a}`);
    expect(await beatsOf(id)).toEqual([c, b]);
    const changed = (await send("PATCH", `/playlists/${id}`, { title: "Later", description: "Two\nlines" })).json();
    expect(changed.data.playlist).toMatchObject({ title: "Later", description: "Two\nlines", beats_count: 2 });
    expect((await send("DELETE", `/playlists/${id}`)).json().data.playlist.id).toBe(id);
    expect((await send("GET", `/playlists/${id}`)).statusCode).toBe(404);
  });

  it("keep a beat that is off sale, even if the order changes", async () => {
    const [a = 0, b = 0, c = 0] = beats;
    const { id } = await create({ beat_ids: [a, b, c] });
    const listed = (is_listed: boolean) => db.updateTable("beats").set({ is_listed }).where("id", "=", b).execute();
    await listed(false);
    await send("PATCH", `/playlists/${id}`, { beat_ids: [c, a] });
    expect(await beatsOf(id)).toEqual([c, a]);
    await listed(true);
    expect((await beatsOf(id)).toSorted()).toEqual([a, b, c].toSorted());
  });

  it("are created once under an Idempotency-Key", async () => {
    const request = () =>
      api.request({
        method: "POST",
        url: "/v1/playlists",
        headers: { authorization: `Bearer ${keys.ada}`, "idempotency-key": "one-playlist" },
        payload: { title: "Once" },
      });
    const [one, two] = [(await request()).json(), (await request()).json()];
    expect(two.data.playlist.id).toBe(one.data.playlist.id);
    const titles = (await send("GET", "/playlists")).json().data.playlists.map(({ title }: { title: string }) => title);
    expect(titles.filter((title: string) => title === "Once")).toHaveLength(1);
  });

  it.each([
    [{ beat_ids: [999_999] }, "The beat_ids field names beat 999999, which does not exist or is not on sale."],
    [{ title: "" }, "title"],
    [{ visibility: "secret" }, "visibility"],
  ])("are not created with the invalid %j, which is answered with 400", async (fields, sentence) => {
    const before = (await send("GET", "/playlists")).json().data.pagination.total;
    const refusal = await send("POST", "/playlists", { title: "Wrong", ...fields });
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([400, expect.stringContaining(sentence)]);
    expect((await send("GET", "/playlists")).json().data.pagination.total).toBe(before);
  });

  it("are limited to 200 per account, with 200 beats each", async () => {
    const { id } = await create({}, keys.bob);
    const many = await insertBeats(
      portal.database,
      Array.from({ length: 201 }, () => ({})),
    );
    expect((await send("PATCH", `/playlists/${id}`, { beat_ids: many.slice(1) }, keys.bob)).statusCode).toBe(200);
    const full = await send("PUT", `/playlists/${id}/beats/${many[0]}`, undefined, keys.bob);
    expect([full.statusCode, full.json().error.details]).toEqual([
      409,
      "A playlist has at most 200 beats; take one out first, or begin another playlist.",
    ]);
    await driver`insert into playlists (id, user_id, title, description, visibility, created_at, updated_at)
      select 'pl_' || lpad(n::text, 22, '0'), user_id, 'Many', '', 'private', now(), now()
      from playlists, generate_series(1, 199) n where id = ${id}`;
    const refusal = await send("POST", "/playlists", { title: "One more" }, keys.bob);
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([
      409,
      "An account has at most 200 playlists; delete one first.",
    ]);
  });
});

test("favorites, follows and playlists are in the export of an account, and are erased with it", async () => {
  const visitor = await portal.signUp("gone@example.com");
  const key = await api.makeKey({ email: "gone@example.com" });
  await send("PUT", `/users/me/favorites/${beats[0]}`, undefined, key);
  await send("POST", "/playlists", { title: "Kept", beat_ids: [beats[0]] }, key);
  const [maker] = await driver`select user_id::int as id from beats where id = ${Number(beats[0])}`;
  await send("PUT", `/users/me/following/${maker?.id}`, undefined, key);
  const exported = await api.request({
    method: "POST",
    url: "/portal/api/account/export",
    headers: { origin: "https://localhost:8443", cookie: visitor.cookie() },
  });
  expect(exported.json()).toMatchObject({
    favorites: [{ id: beats[0] }],
    follows: [{ id: maker?.id }],
    playlists: [{ title: "Kept", beat_ids: [beats[0]] }],
  });
  await visitor.send("POST", "/account/erasure", { email: "gone@example.com" });
  for (const table of ["favorites", "follows", "playlists"])
    expect(await driver.unsafe(`select user_id from ${table} where user_id = ${visitor.userId}`)).toEqual([]);
});
