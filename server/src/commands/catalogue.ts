import type { EngineStatus } from "@beatmarket/catalogue-opensearch/upkeep.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { thousands } from "@beatmarket/foundation/text/counted.ts";
import type { Command } from "commander";
import type { Config } from "../config.ts";
import { type Database, lastMigration } from "../database/connect.ts";
import { tableText } from "./terminal/output.ts";
import { printResult, stopSignal, withDatabase } from "./terminal/run.ts";

/** `catalogue`: shows and rebuilds the catalogue in OpenSearch. */
export function catalogueCommand(catalogue: Command): void {
  catalogue
    .command("status")
    .description("Show the catalogue's build in OpenSearch, and how current it is.")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `\nExit status: 1 when there is no build yet, a shard is missing, or OpenSearch does not respond.${environment}`,
    )
    .action((options: { json?: true }) =>
      withDatabase(async (database, config) => {
        const { engineStatus } = await import("@beatmarket/catalogue-opensearch/upkeep.ts");
        const status = await engineStatus(partsOf(database, config));
        printResult(options.json, status, statusText(status));
        if (status.build === null || status.health === "red") process.exitCode = 1;
      }),
    );
  catalogue
    .command("reindex")
    .description("Write all beats into new indices, and switch to them.")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Searches use the old indices until the new ones have every change. A running server writes the new indices; without a
server, this command writes them. Ctrl-C ends the wait, but does not stop the server.${environment}`,
    )
    .action((options: { json?: true }) =>
      withDatabase(async (database, config) => {
        const { engineStatus, rebuild } = await import("@beatmarket/catalogue-opensearch/upkeep.ts");
        const parts = partsOf(database, config);
        const stop = new AbortController();
        void stopSignal().then(() => stop.abort(new OperatorError("Stopped before the new indices were searched.")));
        await rebuild(parts, stop.signal);
        const status = await engineStatus(parts);
        printResult(options.json, status, `The catalogue is in new indices.\n\n${statusText(status)}`);
      }),
    );
}

const environment = "\n\nThe command takes the same DATA_DIR, DATABASE_URL and CATALOGUE_ENGINE as the servers.";

function partsOf(database: Database, { catalogueEngine }: Config) {
  if (catalogueEngine === null)
    throw new OperatorError(
      "CATALOGUE_ENGINE is not set, so each server has the catalogue in its memory and builds it by itself; set it to the servers' value.",
    );
  const log = (...parameters: unknown[]): void => void process.stderr.write(`${parameters.at(-1)}\n`);
  return {
    engine: catalogueEngine,
    address: database.address,
    session: { applicationName: "beatmarket catalogue", lastMigration },
    log: { info: log, warn: log, error: log },
  };
}

function statusText({ nodes, health, fullest_disk, is_full, build, newest_position }: EngineStatus): string {
  const cluster = [["cluster", `${health}, ${nodes} ${nodes === 1 ? "node" : "nodes"}`]];
  const writes = is_full ? "; OpenSearch refuses writes" : "";
  if (fullest_disk !== null)
    cluster.push(["fullest disk", `${fullest_disk.used_percent} % on ${fullest_disk.node}${writes}`]);
  if (build === null) return tableText([...cluster, ["build", "none; a server creates one at its start"]]);
  const { name, built_at, beats, bytes, position } = build;
  return tableText([
    ...cluster,
    ["build", name],
    ["built at", built_at],
    ["beats", thousands(beats)],
    ["bytes", thousands(bytes)],
    ["position", `${thousands(position)} of ${thousands(newest_position)}`],
  ]);
}
