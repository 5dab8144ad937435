import assert from "node:assert/strict";
import type { Result } from "../runner/driver.ts";
import { changing } from "../runner/fault-proxy.ts";
import { lists } from "./reading.ts";
import { Actor, type Bed, expectFailure, expectSuccess, queryOf, type Scenario } from "./scenario.ts";

/** Lists to which the other languages add nothing during the scenario. */
const ownLists = (bed: Bed) => lists(bed).filter(([operation]) => operation !== "listProducers");

const pagesOfTen = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / 10) }, (_, page) => ids.slice(page * 10, page * 10 + 10));

export const pages: Scenario[] = [
  {
    name: "53 the data of a list with max_items",
    run: async (bed) => {
      const actor = new Actor(bed, "53");
      const ids = ({ items, beats }: Result): number[] => (items ?? beats).map(({ id }: { id: number }) => id);
      for (const [operation, filters, expectedItems] of ownLists(bed))
        for (const max_items of [7, 25, 0]) {
          bed.proxy.begin();
          const { value } = expectSuccess(await actor.call(operation, { limit: 10, ...filters, max_items }));
          assert.deepEqual(ids(value), expectedItems.slice(0, Math.min(max_items, 10)), operation);
          assert.equal(value.pagination.total, 45, operation);
          assert.equal(bed.proxy.requests.length, 1, operation);
          assert.equal(queryOf(bed.proxy.requests[0] as never).max_items, undefined);
        }
      // A search counts beats first, then producers.
      const mixedPage = expectSuccess(await actor.call("search", { q: "maker", limit: 5 })).value;
      assert.equal(mixedPage.producers.length, 5);
      for (const max_items of [2, mixedPage.beats.length + 3]) {
        const { value } = expectSuccess(await actor.call("search", { q: "maker", limit: 5, max_items }));
        assert.deepEqual(
          [...value.beats, ...value.producers],
          [...mixedPage.beats, ...mixedPage.producers].slice(0, max_items),
        );
        assert.deepEqual(value.totals, mixedPage.totals);
      }
    },
  },
  {
    name: "57 from page to page",
    run: async (bed) => {
      const { proxy, elsewhere, facts } = bed;
      const actor = new Actor(bed, "57");
      const readPages = (operation: string, args: object, pages: number): Promise<Result> =>
        actor.do("pages", { operation, arguments: args, pages });
      for (const [operation, filters, ids] of ownLists(bed)) {
        const args = { limit: 10, ...filters };
        const cases: [object, number, Result][] = [
          [args, 9, { pages: pagesOfTen(ids), has_next: false }],
          [args, 2, { pages: pagesOfTen(ids).slice(0, 2), has_next: true }],
          [{ ...args, max_items: 25 }, 9, { pages: pagesOfTen(ids.slice(0, 25)), has_next: false }],
          [{ ...args, max_items: 20 }, 9, { pages: pagesOfTen(ids.slice(0, 20)), has_next: false }],
        ];
        for (const [entry, atMost, expected] of cases) {
          proxy.begin();
          assert.deepEqual(await readPages(operation, entry, atMost), expected, operation);
          assert.equal(proxy.requests.length, expected.pages.length, operation);
          for (const request of proxy.requests) {
            const query = queryOf(request);
            for (const [name, value] of Object.entries(args)) assert.equal(query[name], String(value), operation);
          }
        }
      }
      const beats = { limit: 10, genre: facts.genre };
      proxy.begin();
      assert.deepEqual(await readPages("listBeats", { genre: 99_999_999 }, 3), { pages: [[]], has_next: false });
      proxy.begin((_, index) => (index === 1 ? changing((data) => data.beats.splice(0)) : undefined));
      const [first, , ...otherPages] = pagesOfTen(facts.beats);
      assert.deepEqual(await readPages("listBeats", beats, 9), { pages: [first, [], ...otherPages], has_next: false });

      elsewhere.begin();
      const foreign = changing(({ pagination }) => {
        pagination.next_page_url = pagination.next_page_url.replace(proxy.origin, elsewhere.origin);
      });
      proxy.begin(() => foreign);
      const led = await readPages("listBeats", beats, 9);
      expectFailure(led, "APIStatusError");
      assert.deepEqual([led.pages, led.has_next], [[first], true]);
      assert.deepEqual([proxy.requests.length, elsewhere.requests.length], [1, 0]);

      const itself = changing(({ pagination }) => {
        pagination.next_page_url = `${proxy.origin}${proxy.requests[0]?.url}`;
      });
      proxy.begin(() => itself);
      assert.deepEqual(await readPages("listBeats", beats, 9), { pages: [first], has_next: false });
    },
  },
];
