import { openEngine } from "@beatmarket/catalogue-index/engine/open-engine.ts";
import { type BeatEntry, noChange } from "@beatmarket/catalogue-index/entry.ts";
import type { ListQuery, SimilarQuery } from "@beatmarket/catalogue-index/query.ts";
import { beatEntries, listQueries } from "@beatmarket/catalogue-index/testing/random-entries.ts";
import { traitsOf } from "@beatmarket/catalogue-index/testing/traits.ts";
import { indexedText } from "@beatmarket/foundation/text/search-words.ts";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenSearchNode, startOpenSearch } from "../testing/opensearch-node.ts";
import { Build } from "./cluster/build.ts";
import { Cluster } from "./cluster/cluster.ts";
import { deepest } from "./cluster/documents.ts";
import { Engine } from "./engine.ts";

const seed = 20261128;

let node: OpenSearchNode;
let cluster: Cluster;
let builds = 0;

beforeAll(async () => {
  node = await startOpenSearch();
  cluster = new Cluster({ nodes: [`http://${node.host}`], prefix: "shop" });
}, 120_000);

afterAll(async () => {
  await cluster.close();
  await node.close();
});

test("a page that is too deep for OpenSearch also has facets", async () => {
  const [beat] = fc.sample(beatEntries(), { numRuns: 1, seed });
  const rows = { ...noChange, beats: [beat as BeatEntry] };
  const memory = openEngine();
  memory.apply(rows);
  const build = new Build(cluster, `test-${builds++}`);
  await build.create(1);
  await build.write(rows, 1, new Map());
  await build.refresh();
  const engine = new Engine(cluster, (kind) => build.index(kind));
  const query: ListQuery = {
    filters: {},
    sort: "newest",
    offset: deepest,
    limit: 10,
    facets: ["genre", "tag", "price"],
  };
  expect(await engine.list(query)).toEqual(memory.list(query));
  await build.delete();
});

const similarQueries: fc.Arbitrary<SimilarQuery> = fc.record({
  own: beatEntries().map(traitsOf),
  limit: fc.constantFrom(0, 1, 3, 5, 20),
});

const byId = (beats: readonly BeatEntry[]): BeatEntry[] =>
  Array.from(new Map(beats.map((beat) => [beat.id, beat])).values()).sort((a, b) => a.id - b.id);

test("lists, totals, seeks, facets and similar beats equal those of the index in memory", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(beatEntries(), { maxLength: 200, size: "max" }),
      fc.array(listQueries, { minLength: 25, maxLength: 25 }),
      fc.array(similarQueries, { minLength: 8, maxLength: 8 }),
      async (entries, lists, similar) => {
        const rows = { ...noChange, beats: byId(entries) };
        const memory = openEngine();
        memory.apply(rows);
        const build = new Build(cluster, `test-${builds++}`);
        await build.create(1);
        await build.write(rows, 1, new Map([[1, indexedText("Producer")]]));
        await build.refresh();
        const engine = new Engine(cluster, (kind) => build.index(kind));
        for (const query of lists) expect(await engine.list(query), JSON.stringify(query)).toEqual(memory.list(query));
        for (const query of similar)
          expect(await engine.similar(query), JSON.stringify(query)).toEqual(memory.similar(query));
        await build.delete();
      },
    ),
    { seed, numRuns: 8 },
  );
}, 300_000);
