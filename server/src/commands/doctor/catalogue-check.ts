import { setTimeout as sleep } from "node:timers/promises";
import type { EngineStatus } from "@beatmarket/catalogue-opensearch/upkeep.ts";
import { counted } from "@beatmarket/foundation/text/counted.ts";
import { lastMigration } from "../../database/migrations.ts";
import { ok, unused, type Verdict, warning, wrong } from "../../resources/operations/verdicts.ts";
import type { DatabaseCheck } from "./check.ts";

/** A server writes a change within some tens of milliseconds, and a large import within some seconds. */
const catchesUpMs = 5_000;
const lookEveryMs = 250;
/** OpenSearch gives such a node no more shards (`cluster.routing.allocation.disk.watermark.low`). */
const fullPercent = 85;

export const catalogueCheck: DatabaseCheck = {
  name: "OpenSearch",
  run: async ({ config: { catalogueEngine: engine }, database }) => {
    if (engine === null) return unused("CATALOGUE_ENGINE is not set: each server has the catalogue in its memory.");
    const { engineStatus } = await import("@beatmarket/catalogue-opensearch/upkeep.ts");
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const session = { applicationName: "beatmarket doctor", lastMigration };
    const readStatus = () => engineStatus({ engine, address: database.address, session, log });
    try {
      const first = await readStatus();
      const untilMs = performance.now() + catchesUpMs;
      let status = first;
      // Only the changes before the first read must arrive, not later changes of other processes.
      while (isBehind(status, first) && performance.now() < untilMs) {
        await sleep(lookEveryMs);
        status = await readStatus();
      }
      return clusterVerdict(status, isBehind(status, first));
    } catch (error) {
      return wrong(
        `The cluster cannot be asked: ${(error as { details?: string }).details ?? (error as Error).message}`,
        "Bring it back, or correct CATALOGUE_ENGINE (docs/operating.md, The catalogue in OpenSearch).",
      );
    }
  },
};

const isBehind = ({ build }: EngineStatus, { newest_position }: EngineStatus): boolean =>
  build !== null && build.position < newest_position;

/** The result of the check. `isLate` means that the cluster has not applied the changes. */
export function clusterVerdict(
  { nodes, health, build, is_full, fullest_disk }: EngineStatus,
  isLate: boolean,
): Verdict {
  const cluster = `${counted(nodes, "node")}, ${health}`;
  const disk = `The disk of ${fullest_disk?.node} is ${fullest_disk?.used_percent} % full`;
  if (health === "red")
    return wrong(`A shard is missing (${cluster}), so lists and search get 503.`, "Bring the missing nodes back.");
  if (is_full)
    return wrong(
      `${disk}, and OpenSearch refuses writes.`,
      "Make room on it, or add a node. OpenSearch takes writes again by itself.",
    );
  if (build === null)
    return wrong(
      `There is no build of the catalogue (${cluster}).`,
      "Start a server, which makes one, or run: npx beatmarket catalogue reindex",
    );
  if (isLate)
    return wrong(
      `The cluster does not get the newest changes of the catalogue (${cluster}).`,
      "Start a server, which writes them, or look into the servers' logs (docs/alerts.md, BeatmarketIndexBehind).",
    );
  if ((fullest_disk?.used_percent ?? 0) >= fullPercent)
    return warning(`${disk}; at 95 % OpenSearch refuses writes.`, "Make room on it, or add a node.");
  if (health === "yellow" && nodes > 1)
    return warning(`The copy of a shard is missing (${cluster}).`, "Bring the missing nodes back.");
  return ok(`The cluster has every change of the catalogue (${cluster}).`);
}
