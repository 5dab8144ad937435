import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { consoleType, testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { publishingOf, type TestProducer } from "../../../../test/harness/publishing.ts";

// In all responses, a beat that is not published yet is visible only to its producer.

const clock = new FakeClock();
const api = await testApi({ clock });
const { query: db } = api.database;
const { producer, publish } = publishingOf(api, clock);
let nora: TestProducer;
let stranger: TestProducer;
/** A draft and a beat being processed, of a producer who has published nothing. */
let hidden: number[] = [];
let listed = 0;

beforeAll(async () => {
  [listed = 0] = await insertBeats(api.database, [{ genre: "Trap", title: "Listed", tempo: 92.5, key: "A minor" }]);
  nora = await producer("nora@example.com");
  stranger = await producer("stranger@example.com");
  const draft = await nora.create({ title: "Xylograph" });
  const processing = await nora.create({ title: "Xylograph", status: "published" });
  await nora.send("PATCH", `/beats/${draft.id}`, { description: "Edited." });
  hidden = [draft.id, processing.id];
});

const data = async (path: string) => (await stranger.get(path)).json().data;
const idsOf = (beats: { id: number }[]) => beats.map(({ id }) => id);

describe("a beat that is not published yet", () => {
  it("is in no list, with any filter or order, and in no total or facet", async () => {
    for (const query of ["", "?sort=popular", `?producer=${nora.userId}`, "?genre=1", "?key=Am", "?limit=1&page=2"]) {
      const { beats, pagination } = await data(`/beats${query}`);
      expect(idsOf(beats).filter((id) => id !== listed)).toEqual([]);
      expect(pagination.total).toBe(query.startsWith("?producer") ? 0 : 1);
    }
    expect((await data("/beats?facets=genre,key")).facets.genre).toMatchObject([{ count: 1 }]);
  });

  it("is 404 for others by its id, missing among other ids, and has no similar beats", async () => {
    for (const id of hidden) {
      const unknown = JSON.stringify((await stranger.get("/beats/999999")).json()).replace("999999", String(id));
      expect(JSON.stringify((await stranger.get(`/beats/${id}`)).json())).toBe(unknown);
      expect((await stranger.get(`/beats/${id}/similar`)).statusCode).toBe(404);
      expect((await nora.get(`/beats/${id}/similar`)).statusCode).toBe(404);
    }
    const { beats, missing } = await data(`/beats?ids=${[...hidden, listed]}`);
    expect([idsOf(beats), missing]).toEqual([[listed], hidden]);
    expect(await data(`/beats?ids=${hidden}&fields=title`)).toMatchObject({ beats: [], missing: hidden });
  });

  it("is in no list of similar beats and in no search result", async () => {
    expect((await data(`/beats/${listed}/similar`)).beats).toEqual([]);
    expect((await data("/search?q=xylograph")).beats).toEqual([]);
    expect((await data("/search?q=nora")).producers).toEqual([]);
  });

  it("does not make its account a producer, and does not count in a genre", async () => {
    const { is_producer, beats_count } = (await data(`/users/${nora.userId}`)).user;
    expect({ is_producer, beats_count }).toEqual({ is_producer: false, beats_count: 0 });
    for (const sort of ["popular", "newest", "name"]) {
      const { producers, pagination } = await data(`/producers?sort=${sort}`);
      expect([producers.map(({ id }: { id: number }) => id).includes(nora.userId), pagination.total]).toEqual([
        false,
        1,
      ]);
    }
    expect((await data("/genres")).genres).toMatchObject([{ name: "Trap", beats_count: 1 }]);
  });

  it("causes no change and no event, and cannot be bought", async () => {
    expect((await data("/changes")).changes.map(({ beat_id }: { beat_id: number }) => beat_id)).toEqual([listed]);
    expect((await data("/events")).events.filter(({ type }: { type: string }) => type.startsWith("beat."))).toEqual([]);
    for (const beat_id of hidden) {
      const order = await stranger.send("POST", "/orders", { beat_id, payment_method: "pm_card_visa" });
      expect([order.statusCode, order.json().error.details]).toEqual([404, `Beat ${beat_id} does not exist.`]);
    }
  });

  it("is returned to its producer, in either form", async () => {
    const [draft, processing] = hidden;
    expect((await nora.get(`/beats/${draft}`)).json().data.beat).toMatchObject({ status: "draft" });
    expect((await nora.get(`/beats/${processing}`, { accept: consoleType })).json().data.status).toBe("processing");
  });
});

describe("a single beat of the caller", () => {
  it("has separate cached responses for its producer and for others", async () => {
    const { id } = await nora.create({ status: "published" });
    await publish(id);
    // The service knows after half a second that the account has beats.
    clock.advance(500);
    const statuses = async (producer: TestProducer) => [
      (await producer.get(`/beats/${id}`)).json().data.beat.status,
      (await producer.get(`/beats/${id}`)).json().data.beat.status,
      (await producer.get(`/beats/${id}`)).json().data.beat.status,
    ];
    for (let round = 0; round < 2; round++) {
      expect(await statuses(nora)).toEqual(["published", "published", "published"]);
      expect(await statuses(stranger)).toEqual([undefined, undefined, undefined]);
    }
  });

  it("is returned as the caller's own even if the cached key look-up is older than the account's first beat", async () => {
    const fresh = await producer("fresh@example.com");
    await fresh.get(`/beats/${listed}`);
    const { id } = await fresh.create();
    for (let time = 0; time < 3; time++)
      expect((await fresh.get(`/beats/${id}`)).json().data.beat.status).toBe("draft");
    expect((await stranger.get(`/beats/${id}`)).statusCode).toBe(404);
  });

  it("has no private fields for a key of another account", async () => {
    const { id } = await nora.create({ status: "published" });
    await publish(id);
    await stranger.create();
    const { beat } = (await stranger.get(`/beats/${id}`)).json().data;
    expect(
      Object.keys(beat).filter((name) => ["status", "bpm_source", "rejection", "preview_tag"].includes(name)),
    ).toEqual([]);
    expect(beat).toMatchObject({
      waveform_url: expect.stringMatching(/waveform-[0-9a-f]{12}\.json$/),
      analysis: { bpm: 92.5 },
    });
  });
});

describe("GET /users/me/beats", () => {
  it("returns the account's beats in every state, newest first, by status and by page", async () => {
    const otto = await producer("otto@example.com");
    const [first, second, third, fourth] = [
      await otto.create({ status: "published" }),
      await otto.create(),
      await otto.create({ status: "published" }),
      await otto.create({ status: "published" }),
    ];
    await publish(first.id);
    await publish(fourth.id);
    await otto.send("DELETE", `/beats/${fourth.id}`);
    const ids = async (query: string) => idsOf((await otto.get(`/users/me/beats${query}`)).json().data.beats);
    expect(await ids("")).toEqual([fourth.id, third.id, second.id, first.id]);
    expect(await ids("?status=published")).toEqual([first.id]);
    expect(await ids("?status=draft")).toEqual([second.id]);
    expect(await ids("?status=processing")).toEqual([third.id]);
    expect(await ids("?status=withdrawn")).toEqual([fourth.id]);
    const page = (await otto.get("/users/me/beats?limit=3")).json().data;
    expect(page.pagination).toMatchObject({ total: 4, last_page: 2 });
    const next = page.pagination.next_page_url.replace("https://localhost:8443/v1", "");
    const last = (await otto.get(next)).json().data;
    expect(idsOf(last.beats)).toEqual([first.id]);
    const back = last.pagination.prev_page_url.replace("https://localhost:8443/v1", "");
    expect(idsOf((await otto.get(back)).json().data.beats)).toEqual([fourth.id, third.id, second.id]);
    expect((await otto.get("/users/me/beats?limit=2&page=2")).json().data.beats[0]).toEqual(
      (await otto.get(`/beats/${second.id}`)).json().data.beat,
    );
  });

  it("returns the console form, and no beats for an account without beats", async () => {
    const { meta, data: beats } = (await nora.get("/users/me/beats?status=draft", { accept: consoleType })).json();
    expect([meta, beats.map(({ title }: { title: string }) => title)]).toEqual([
      { page: 1, limit: 20, total: 1 },
      ["Xylograph"],
    ]);
    const newcomer = await producer("nobody@example.com");
    expect((await newcomer.get("/users/me/beats")).json().data).toMatchObject({ beats: [], pagination: { total: 0 } });
  });
});

it("the first beat on sale makes its account a producer with a count of beats, and is in /changes", async () => {
  const mira = await producer("mira@example.com");
  const { id } = await mira.create({ status: "published" });
  await publish(id);
  expect((await data(`/users/${mira.userId}`)).user).toMatchObject({ is_producer: true, beats_count: 1 });
  expect(
    await db.selectFrom("producer_counts").select("beats_count").where("user_id", "=", mira.userId).execute(),
  ).toEqual([{ beats_count: 1 }]);
  expect((await data("/changes")).changes.at(-1)).toMatchObject({ type: "published", beat: { id } });
});
