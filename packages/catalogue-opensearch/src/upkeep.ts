import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { newestPlace } from "@beatmarket/catalogue-index/worker/change-stream.ts";
import { SnapshotReader } from "@beatmarket/catalogue-index/worker/snapshot-reader.ts";
import type { EngineAddress } from "./address.ts";
import type { CatalogueOpenSearchParts } from "./catalogue-opensearch.ts";
import { aliasOf } from "./cluster/aliases.ts";
import { Cluster } from "./cluster/cluster.ts";
import { Feeder } from "./feed/feeder.ts";
import { StateStore } from "./feed/state.ts";
import { UnknownVersion } from "./feed/unknown-version.ts";

type UpkeepParts = Pick<CatalogueOpenSearchParts, "engine" | "address" | "session" | "log">;

/** The status that `beatmarket catalogue status` and `beatmarket doctor` show. */
export interface EngineStatus {
  nodes: number;
  /** green; yellow if a copy of a shard is missing; red if a shard is missing. */
  health: string;
  /** The disk of the fullest node; null if no node reports its disk. */
  fullest_disk: { node: string; used_percent: number } | null;
  /** Whether indices refuse writes, because a disk has reached OpenSearch's `flood_stage`. */
  is_full: boolean;
  /** The build that searches use; null without one. */
  build: { name: string; built_at: string; position: number; beats: number; bytes: number } | null;
  /** The newest change of the catalogue. */
  newest_position: number;
}

const checkEveryMs = 250;

export async function engineStatus({ engine, address, session }: UpkeepParts): Promise<EngineStatus> {
  return withCluster(engine, async (cluster) => {
    const reader = new SnapshotReader(address, session);
    const { position } = await reader.read(newestPlace).finally(() => reader.close());
    const health = await cluster.request<{ status: string; number_of_nodes: number }>("GET", "/_cluster/health");
    const state = await new StateStore(cluster).read();
    const status = {
      nodes: health.number_of_nodes,
      health: health.status,
      newest_position: position,
      fullest_disk: await fullestDisk(cluster),
      is_full: await refusesWrites(cluster),
    };
    if (state === null) return { ...status, build: null };
    const alias = aliasOf(cluster, "beats");
    const stats = await cluster.request<Stats>("GET", `/${alias}/_stats/docs,store`);
    const { docs, store } = stats._all.primaries;
    const build = {
      name: state.build,
      built_at: new Date(state.builtAtMs).toISOString(),
      position: state.place.position,
    };
    return { ...status, build: { ...build, beats: docs.count, bytes: store.size_in_bytes } };
  });
}

async function fullestDisk(cluster: Cluster): Promise<EngineStatus["fullest_disk"]> {
  const nodes = await cluster.request<{ node: string; "disk.percent": string | null }[]>(
    "GET",
    "/_cat/allocation?format=json&h=node,disk.percent",
  );
  const disks = nodes.flatMap(({ node, "disk.percent": used }) =>
    used === null ? [] : [{ node, used: Number(used) }],
  );
  const [fullest] = disks.sort((a, b) => b.used - a.used);
  return fullest === undefined ? null : { node: fullest.node, used_percent: fullest.used };
}

async function refusesWrites(cluster: Cluster): Promise<boolean> {
  const setting = "index.blocks.read_only_allow_delete";
  const indices = await cluster.request<Record<string, { settings: Record<string, string> }>>(
    "GET",
    `/${cluster.prefix}-*/_settings/${setting}?flat_settings=true`,
    undefined,
    { missing: {} },
  );
  return Object.values(indices).some(({ settings }) => settings[setting] === "true");
}

interface Stats {
  _all: { primaries: { docs: { count: number }; store: { size_in_bytes: number } } };
}

/**
 * Requests a new build, and waits until searches use it. The process that has the lock builds it: this process, if no
 * server runs. After an abort, rejects with the signal's reason, and the request remains.
 */
export async function rebuild({ engine, ...parts }: UpkeepParts, signal: AbortSignal): Promise<void> {
  await withCluster(engine, async (cluster) => {
    const store = new StateStore(cluster);
    const request = randomUUID();
    await store.requestBuild(request);
    const feeder = new Feeder({ ...parts, cluster, catalogue: new UnknownVersion() });
    feeder.start();
    try {
      while ((await store.read())?.request !== request) {
        signal.throwIfAborted();
        await sleep(checkEveryMs);
      }
    } finally {
      await feeder.close();
    }
  });
}

async function withCluster<Result>(
  engine: EngineAddress,
  work: (cluster: Cluster) => Promise<Result>,
): Promise<Result> {
  const cluster = new Cluster(engine);
  return work(cluster).finally(() => cluster.close());
}
