import { Build } from "@beatmarket/catalogue-opensearch/cluster/build.ts";
import { Cluster } from "@beatmarket/catalogue-opensearch/cluster/cluster.ts";
import { Engine } from "@beatmarket/catalogue-opensearch/engine.ts";
import { type OpenSearchNode, startOpenSearch } from "@beatmarket/catalogue-opensearch/testing/opensearch-node.ts";
import { indexedText } from "@beatmarket/foundation/text/search-words.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalogues } from "./catalogues.ts";
import { judge, type LoadEngine } from "./judge.ts";

const startTimeoutMs = 300_000;

let node: OpenSearchNode;
let cluster: Cluster;

beforeAll(async () => {
  node = await startOpenSearch();
  cluster = new Cluster({ nodes: [`http://${node.host}`], prefix: "quality" });
}, startTimeoutMs);

afterAll(async () => {
  await cluster?.close();
  await node?.close();
});

const load =
  (name: string): LoadEngine =>
  async (rows) => {
    const build = new Build(cluster, name);
    await build.create(rows.beats.length);
    await build.write(rows, 1, new Map(rows.producers.map(({ id, name }) => [id, indexedText(name)])));
    await build.refresh();
    const engine = new Engine(cluster, (kind) => build.index(kind));
    return (query) => engine.search(query);
  };

test.each(catalogues)(
  "$name: the intended hit is among OpenSearch's first five for the higher of 0.95 and $minShare of the queries",
  async ({ name, read, queriesFile, minShare }) => {
    const { queryCount, misses } = await judge(await read(), queriesFile, load(name));
    expect(queryCount).toBeGreaterThanOrEqual(150);
    expect(1 - misses.length / queryCount, JSON.stringify(misses, null, 1)).toBeGreaterThanOrEqual(
      Math.max(minShare, 0.95),
    );
  },
  startTimeoutMs,
);
