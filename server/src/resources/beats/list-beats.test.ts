import type { BeatSort, CatalogueQueries } from "@beatmarket/catalogue-index/query.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { PlainIndex } from "../../../test/harness/catalogue-index/plain-index.ts";
import { type BeatRow, insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { BeatCatalogue } from "./catalogue/beat-catalogue.ts";
import { type BeatsRequest, listBeats } from "./list-beats.ts";

const database = await testDatabase();
const db = database.query;
const catalogue = new BeatCatalogue(database, new CatalogueVersion());
const index = new PlainIndex(db);
const list = (request: Partial<BeatsRequest>) =>
  listBeats({ index, catalogue }, { sort: "newest", page: 1, limit: 20, ...request }, undefined);

const orders: Record<BeatSort, string> = {
  newest: "created_at desc, id desc",
  popular: "play_count desc, popularity desc, id desc",
  price_asc: "price_cents asc, id asc",
  price_desc: "price_cents desc, id desc",
  bpm_asc: "greatest(1, round(tempo)) asc, id asc",
  bpm_desc: "greatest(1, round(tempo)) desc, id desc",
};
const sorts = Object.keys(orders) as BeatSort[];

/** The ids of the listed beats in the order of a sort, read with the simplest possible query. */
async function idsInOrder(sort: BeatSort, where = "true"): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from beats where is_listed and ${sql.raw(where)}
    order by ${sql.raw(orders[sort])}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The ids on the requested page, and on each page that its links in this direction lead to. */
async function walk(request: Partial<BeatsRequest>, direction: "next" | "previous"): Promise<number[][]> {
  const pages: number[][] = [];
  let next: Partial<BeatsRequest> | null = request;
  while (next !== null) {
    const page = await list(next);
    pages.push(page.items.map(({ id }) => id));
    const link = page[direction];
    next = link === null ? null : { ...request, page: link.page, after: link.after };
    if (pages.length > 2000) throw new Error("The walk does not end.");
  }
  return pages;
}

const random = fc.sample(
  fc.record({
    producer: fc.constantFrom("Nightowl", "Kilo Volt", "Ærø"),
    genre: fc.constantFrom("Trap", "House", "Lo-fi"),
    priceCents: fc.constantFrom(1990, 2990, 4990),
    playCount: fc.constantFrom(0, 0, 0, 5, 900),
    popularity: fc.constantFrom(0, 40),
    tempo: fc.constantFrom(0.2, 90.4, 90.6, 140),
    createdAt: fc.constantFrom(
      "2024-01-01T00:00:00Z",
      "2024-01-01T00:00:00.000001Z",
      "2024-01-01T00:00:01Z",
      "2025-06-01T12:00:00Z",
    ),
  }),
  { numRuns: 700, seed: 7 },
) as BeatRow[];

beforeAll(async () => {
  await insertBeats(database, random);
});

describe("walking a listing by its links", () => {
  it.each(sorts)("visits every beat once, in the order %s", async (sort) => {
    const pages = await walk({ sort, limit: 37 }, "next");
    expect(pages.flat()).toEqual(await idsInOrder(sort));
    expect(pages.slice(0, -1).every((page) => page.length === 37)).toBe(true);
  });

  it.each(sorts)("visits the same beats backwards: %s", async (sort) => {
    const last = Math.ceil(random.length / 37);
    const pages = await walk({ sort, limit: 37, page: last }, "previous");
    expect(pages.toReversed().flat()).toEqual(await idsInOrder(sort));
  });

  it("keeps filters", async () => {
    const [genre] = await db.selectFrom("genres").select("id").where("name", "=", "House").execute();
    const [user] = await db.selectFrom("users").select("id").where("display_name", "=", "Ærø").execute();
    const filters = { genre: [genre?.id ?? 0], producer: [user?.id ?? 0] };
    expect((await walk({ ...filters, limit: 9, sort: "popular" }, "next")).flat()).toEqual(
      await idsInOrder("popular", `genre_id = ${genre?.id} and user_id = ${user?.id}`),
    );
  });

  it("skips and repeats nothing while beats are added", async () => {
    const before = await idsInOrder("newest");
    const seen: number[] = [];
    let request: Partial<BeatsRequest> | null = { limit: 50 };
    while (request !== null) {
      const page = await list(request);
      seen.push(...page.items.map(({ id }) => id));
      await insertBeats(database, [{ title: "Fresh", createdAt: "2026-01-01T00:00:00Z" }]);
      request = page.next === null ? null : { limit: 50, page: page.next.page, after: page.next.after };
    }
    expect(seen).toEqual(before);
  });
});

describe("a page by its number", () => {
  it("equals the slice of all rows, at any depth and page size", async () => {
    const expected = Object.fromEntries(
      await Promise.all(sorts.map(async (sort) => [sort, await idsInOrder(sort)] as const)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sorts),
        fc.integer({ min: 1, max: 900 }),
        fc.integer({ min: 1, max: 100 }),
        async (sort, page, limit) => {
          const { items, total } = await list({ sort, page, limit });
          const expectedIds = expected[sort] ?? [];
          expect(items.map(({ id }) => id)).toEqual(expectedIds.slice((page - 1) * limit, page * limit));
          expect(total).toBe(expectedIds.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("omits a beat that is withdrawn before its row is read, and the next page continues after that beat", async () => {
    const allIds = await idsInOrder("newest");
    const [, second = 0] = allIds;
    const withdrawing: Pick<CatalogueQueries, "list"> = {
      list: async (query) => {
        const answer = await index.list(query);
        await db.updateTable("beats").set({ is_listed: false }).where("id", "=", second).execute();
        return answer;
      },
    };
    const request = { sort: "newest", page: 1, limit: 2 } as const;
    const page = await listBeats({ index: withdrawing, catalogue }, request, undefined);
    expect(page.items.map(({ id }) => id)).toEqual(allIds.slice(0, 1));
    const { items } = await list({ ...request, page: 2, after: page.next?.after });
    expect(items.map(({ id }) => id)).toEqual(allIds.slice(2, 4));
    await db.updateTable("beats").set({ is_listed: true }).where("id", "=", second).execute();
  });

  it("has no items past the end, but the true total and a link back", async () => {
    const { items, total, next, previous } = await list({ page: 2_147_483_647, limit: 100 });
    expect(items).toEqual([]);
    expect(next).toBeNull();
    expect(previous).toEqual({ page: Math.ceil(total / 100) });
  });
});

describe("an after token", () => {
  const refusal = expect.objectContaining({
    status: 400,
    code: "invalid_request",
    details: expect.stringContaining("after parameter"),
    refusedBy: "parameter:after",
  });

  it("is refused if it is damaged or invented", async () => {
    const { next } = await list({ limit: 10 });
    const token = next?.after ?? "";
    for (let position = 0; position < token.length; position += 5) {
      const flipped = token[position] === "A" ? "B" : "A";
      const damaged = token.slice(0, position) + flipped + token.slice(position + 1);
      await expect(list({ limit: 10, page: 2, after: damaged })).rejects.toEqual(refusal);
    }
    for (const after of ["", "x", "null", "%00", "a".repeat(5000), token.slice(0, -3)])
      await expect(list({ limit: 10, page: 2, after })).rejects.toEqual(refusal);
  });

  it("is refused with other filters, another order, page or page size", async () => {
    const { next } = await list({ limit: 10 });
    const after = next?.after;
    await expect(list({ limit: 10, page: 2, after })).resolves.toMatchObject({ page: 2 });
    for (const other of [
      { genre: [1] },
      { producer: [1] },
      { bpm_min: 1 },
      { sort: "popular" as const },
      { page: 3 },
      { limit: 11 },
    ])
      await expect(list({ limit: 10, page: 2, after, ...other })).rejects.toEqual(refusal);
  });
});
