import { beforeAll, describe, expect, it } from "vitest";
import { consoleType, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";

interface Answer {
  producers: { display_name: string }[];
  pagination: { next_page_url: string | null };
}

const api = await testApi();
const ids: Record<string, number> = {};

beforeAll(async () => {
  await insertBeats(api.database, [
    { producer: "Nightowl", genre: "Trap", playCount: 5 },
    { producer: "Nightowl", genre: "House", playCount: 1 },
    { producer: "Nightowl", genre: "House" },
    { producer: "aurora", genre: "Trap", playCount: 100 },
    { producer: "Zeta", genre: "Trap" },
  ]);
  for (const row of await api.database.query.selectFrom("users").select(["id", "display_name"]).execute())
    ids[row.display_name] = row.id;
});

describe("GET /users/{user_id}", () => {
  it("returns the public profile without the e-mail address", async () => {
    const answer = await api.get(`/v1/users/${ids.Nightowl}`);
    expect(answer.json()).toEqual({
      status: "success",
      data: {
        user: {
          id: ids.Nightowl,
          username: "nightowl",
          display_name: "Nightowl",
          bio: null,
          location: null,
          website: null,
          avatar_url: null,
          is_producer: true,
          beats_count: 3,
          created_at: expect.stringMatching(/Z$/),
        },
      },
    });
    const profile = await api.get(`/v1/users/${api.userId}`);
    expect(profile.statusCode).toBe(200);
    expect(profile.json().data.user).toMatchObject({ is_producer: false, beats_count: 0 });
    expect(profile.body).not.toContain("@");
  });

  it("returns the profile in the console form", async () => {
    const { success, data } = (await api.get(`/v1/users/${ids.Zeta}`, { accept: consoleType })).json();
    expect(success).toBe(true);
    expect(data).toMatchObject({ id: ids.Zeta, username: "zeta" });
  });

  it("answers 404 for an unknown user, and 400 to an id that is not an integer", async () => {
    expect((await api.get("/v1/users/999999")).statusCode).toBe(404);
    expect((await api.get("/v1/users/me")).statusCode).toBe(400);
  });
});

describe("GET /producers", () => {
  const names = async (query: string): Promise<string[]> =>
    (await api.get(`/v1/producers${query}`))
      .json()
      .data.producers.map((producer: { display_name: string }) => producer.display_name);

  it("lists producers with their plays, and with their genres, the most used genre first", async () => {
    const { producers, pagination } = (await api.get("/v1/producers")).json().data;
    expect(pagination).toMatchObject({ total: 3, per_page: 20, current_page: 1, last_page: 1 });
    expect(producers[1]).toMatchObject({
      display_name: "Nightowl",
      beats_count: 3,
      play_count: 6,
      genres: [{ name: "House" }, { name: "Trap" }],
    });
    expect(Object.keys(producers[1].genres[0])).toEqual(["id", "name"]);
  });

  it("sorts by plays (default), date and name", async () => {
    expect(await names("")).toEqual(["aurora", "Nightowl", "Zeta"]);
    expect(await names("?sort=popular")).toEqual(["aurora", "Nightowl", "Zeta"]);
    expect(await names("?sort=newest")).toEqual(["Zeta", "aurora", "Nightowl"]);
    expect(await names("?sort=name")).toEqual(["aurora", "Nightowl", "Zeta"]);
  });

  it.each(["popular", "newest", "name"])(
    "is read completely by following next_page_url, sorted by %s",
    async (sort) => {
      const visited: string[] = [];
      let url: string | null = `/v1/producers?limit=1&sort=${sort}`;
      while (url !== null) {
        const { producers, pagination }: Answer = (await api.get(url)).json().data;
        visited.push(...producers.map((producer) => producer.display_name));
        url = pagination.next_page_url?.replace("https://localhost:8443", "") ?? null;
      }
      expect(visited).toEqual(await names(`?sort=${sort}`));
    },
  );

  it("has genres with slugs in the console form", async () => {
    const { data, meta } = (await api.get("/v1/producers", { accept: consoleType })).json();
    expect(meta).toEqual({ page: 1, limit: 20, total: 3 });
    expect(data[0].genres).toEqual([{ id: expect.any(Number), name: "Trap", slug: "trap" }]);
  });

  it.each(["limit=0", "limit=101", "sort=loudest", "page=0", "genre=1"])("answers 400 to %s", async (query) => {
    expect((await api.get(`/v1/producers?${query}`)).statusCode).toBe(400);
  });
});

describe("GET /genres", () => {
  it("lists all genres by name with their number of beats", async () => {
    const { genres } = (await api.get("/v1/genres")).json().data;
    expect(genres).toEqual([
      { id: expect.any(Number), name: "House", slug: "house", beats_count: 2 },
      { id: expect.any(Number), name: "Trap", slug: "trap", beats_count: 3 },
    ]);
  });

  it("answers 400 to any parameter", async () => {
    expect((await api.get("/v1/genres?page=1")).json().error.details).toMatch(/takes no parameters/);
  });
});
