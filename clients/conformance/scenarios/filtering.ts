import assert from "node:assert/strict";
import { Actor, expectFailure, expectSuccess, queryOf, receivedData, type Scenario } from "./scenario.ts";

/** In the catalogue of the test bed, the first beat has 90 BPM, and each later beat one more than the previous. */
export const filtering: Scenario[] = [
  {
    name: "27 lists, times, numbers and booleans as filters",
    run: async (bed) => {
      const { proxy, facts } = bed;
      proxy.begin();
      const filters = {
        genre: [facts.genre, facts.genre + 1],
        producer: facts.producers.slice(0, 2),
        tag: ["lo-fi", "C# & co"],
        license: ["basic"],
        key: ["A minor", "8B"],
        key_compatible: null,
        bpm: 100,
        bpm_tolerance: 2.5,
        half_double: true,
        price_max: 39.99,
        created_after: "2026-01-01T00:00:00Z",
        sort: "bpm_desc",
      };
      expectSuccess(await new Actor(bed, "27").call("listBeats", filters));
      const { key_compatible: _, ...sentFilters } = filters;
      assert.deepEqual(
        queryOf(proxy.requests[0] as never),
        Object.fromEntries(Object.entries(sentFilters).map(([name, value]) => [name, String(value)])),
      );
    },
  },
  {
    name: "28 filters on every page, facets and totals",
    run: async (bed) => {
      const { proxy, facts } = bed;
      const actor = new Actor(bed, "28");
      const range = { bpm_min: 100, bpm_max: 124, genre: [facts.genre], sort: "bpm_asc", limit: 10 };
      proxy.begin();
      const { items, errors } = await actor.iterate("listBeats", range);
      assert.deepEqual(errors, []);
      assert.equal(new Set(items).size, 25);
      assert.equal(proxy.requests.length, 3);
      for (const request of proxy.requests) {
        const { bpm_min, bpm_max, genre } = queryOf(request);
        assert.deepEqual([bpm_min, bpm_max, genre], ["100", "124", String(facts.genre)]);
      }
      proxy.begin();
      const read = ["facets.genre.0.value.name", "facets.genre.0.count", "facets.bpm.0.max"];
      const args = { operation: "listBeats", arguments: { ...range, facets: ["genre", "bpm"] }, read };
      const { value, read: readValues } = expectSuccess(await actor.do("call", args));
      const { beats, ...otherMembers } = receivedData(bed);
      assert.deepEqual(value, { items: beats, ...otherMembers });
      // A facet ignores its own filter, so its first range of ten BPM is below bpm_min.
      assert.deepEqual(readValues, { [read[0] ?? ""]: "Techno", [read[1] ?? ""]: 25, [read[2] ?? ""]: 99 });
    },
  },
  {
    name: "29 beats by ids, and reduced to fields",
    run: async (bed) => {
      const { proxy, facts } = bed;
      const actor = new Actor(bed, "29");
      const ids = [facts.beats[2], 99_999_999, facts.beats[0]];
      proxy.begin();
      const read = ["missing.0", "items.0.licenses.0.type"];
      const fullList = expectSuccess(await actor.do("call", { operation: "listBeats", arguments: { ids }, read }));
      assert.deepEqual(queryOf(proxy.requests[0] as never), { ids: ids.join() });
      assert.deepEqual(
        fullList.value.items.map(({ id }: { id: number }) => id),
        [ids[0], ids[2]],
      );
      assert.deepEqual(fullList.read, { "missing.0": 99_999_999, "items.0.licenses.0.type": "basic" });
      const args = {
        operation: "listBeats",
        arguments: { fields: ["id", "title"], limit: 1 },
        read: ["items.0.title"],
      };
      const part = expectSuccess(await actor.do("call", args));
      assert.deepEqual(Object.keys(part.value.items[0]).sort(), ["id", "title"]);
      assert.equal(part.read["items.0.title"], part.value.items[0].title);
    },
  },
  {
    name: "30 filters that the service finds in the text of a search",
    run: async (bed) => {
      const { proxy } = bed;
      const actor = new Actor(bed, "30");
      proxy.begin();
      const read = ["totals.beats", "interpreted.bpm_min"];
      const readBeats = expectSuccess(
        await actor.do("call", { operation: "search", arguments: { q: "lantern 100 bpm" }, read }),
      );
      assert.deepEqual(readBeats.value, receivedData(bed));
      assert.deepEqual(readBeats.read, { "totals.beats": 1, "interpreted.bpm_min": 100 });
      proxy.begin();
      expectSuccess(await actor.call("search", { q: "lantern 100 bpm", interpret: false }));
      assert.deepEqual(queryOf(proxy.requests[0] as never), { q: "lantern 100 bpm", interpret: "false" });
      assert.equal(receivedData(bed).interpreted, undefined);
    },
  },
  {
    name: "31 a filter that contradicts another",
    run: async (bed) => {
      const error = expectFailure(
        await new Actor(bed, "31").call("listBeats", { bpm_min: 150, bpm_max: 100 }),
        "InvalidRequestError",
      );
      assert.equal(error.status, 400);
      assert.match(error.details, /bpm_min.*bpm_max/);
    },
  },
];
