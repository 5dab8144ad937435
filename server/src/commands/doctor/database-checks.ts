import { setTimeout as sleep } from "node:timers/promises";
import type { EngineStatus } from "@beatmarket/catalogue-opensearch/upkeep.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { counted } from "@beatmarket/foundation/text/counted.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { sql } from "kysely";
import { lastMigration, missingMigrations, type Queryable } from "../../database/connect.ts";
import type { OpenedDatabase } from "../../database/open.ts";
import { countFreeLicenses } from "../../resources/beats/queries.ts";
import { reportsFigure } from "../../resources/operations/activity.ts";
import {
  deliveriesVerdict,
  endpointsVerdict,
  jobsVerdict,
  mailsVerdict,
  ok,
  paymentsVerdict,
  payoutsVerdict,
  unused,
  type Verdict,
  warning,
  wrong,
} from "../../resources/operations/verdicts.ts";
import { ComparisonWatch } from "../../resources/orders/comparison.ts";
import type { DatabaseCheck } from "./check.ts";

/** Whether the schema belongs to this release. Otherwise, the content of the database is not checked. */
export async function schemaVerdict(database: OpenedDatabase): Promise<Verdict> {
  const missing = await missingMigrations(database).catch((error) => {
    if (!(error instanceof OperatorError)) throw error;
    return error;
  });
  if (missing instanceof OperatorError) return wrong(missing.message, null);
  if (missing.length > 0)
    return wrong(`The schema lacks ${missing.join(", ")}.`, "Run: npx beatmarket migrate, or start the server.");
  return ok("The schema is up to date.");
}

/**
 * The limits of the difference of clocks, in seconds. Certificates, leases and signed links compare times of both
 * clocks.
 */
const skew = { warns: 2, fails: 30 };

const clockSkew: DatabaseCheck = {
  name: "clock",
  run: async ({ database, clock }) => {
    const before = clock.nowMs();
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(database.query);
    const seconds = Math.abs((rows[0]?.ms ?? 0) - (before + clock.nowMs()) / 2) / 1_000;
    const detail = `The clocks of this machine and of the database differ by ${seconds.toFixed(seconds < 10 ? 1 : 0)} seconds.`;
    const remedy = "Run an NTP service, such as chrony, on both machines.";
    if (seconds >= skew.fails) return wrong(detail, remedy);
    return seconds >= skew.warns ? warning(detail, remedy) : ok(detail);
  },
};

const secrets: DatabaseCheck = {
  name: "sealed secrets",
  run: async ({ database, config }) => {
    const box = await openSecretBox(config);
    await box.refresh(database.query);
    return ok("This process has the key that seals secrets.");
  },
};

const operators: DatabaseCheck = {
  name: "operators",
  run: async ({ database, publicBy }) => {
    const { count } = await database.query
      .selectFrom("users")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("operator", "=", true)
      .executeTakeFirstOrThrow();
    if (Number(count) > 0) return ok(`${counted(Number(count), "account")} may operate the service.`);
    const detail = "No account is an operator, so nobody gets mails about disputes.";
    const remedy = "Make one: npx beatmarket users operator --email ADDRESS";
    return publicBy === null ? unused(detail) : warning(detail, remedy);
  },
};

const ledger: DatabaseCheck = {
  name: "ledger",
  run: async ({ database, clock }) => {
    const watch = new ComparisonWatch();
    await watch.measure(database.query, new Date(clock.nowMs()));
    if (watch.state.length === 0) return unused("No day was compared with the payment provider yet.");
    const differing = watch.state.filter(({ differences }) => Number(differences) > 0);
    if (differing.length === 0) return ok("The ledger and the payment provider agree.");
    const differences = differing.map(
      ({ provider, differences }) => `${counted(Number(differences), "difference")} with ${provider}`,
    );
    return wrong(`The ledger has ${differences.join(", ")}.`, "Run: npx beatmarket ledger compare (docs/ledger.md)");
  },
};

const freeLicenses: DatabaseCheck = {
  name: "prices",
  run: async ({ database }) => {
    const beats = await countFreeLicenses(database.query);
    if (beats === 0) return ok("No unlimited or exclusive license has a price of 0.");
    return warning(
      `Nobody can buy the unlimited and exclusive licenses with a price of 0 (${counted(beats, "beat")}).`,
      "Run: npx beatmarket migrate, which lists them.",
    );
  },
};

export const databaseChecks: readonly DatabaseCheck[] = [clockSkew, secrets, operators, ledger, freeLicenses];

const check = (name: string, verdict: (db: Queryable, now: Date) => Promise<Verdict>): DatabaseCheck => ({
  name,
  run: ({ database, clock }) => verdict(database.query, new Date(clock.nowMs())),
});

export const queueChecks: readonly DatabaseCheck[] = [
  check("webhook queue", deliveriesVerdict),
  check("webhook endpoints", endpointsVerdict),
  check("mail queue", mailsVerdict),
  check("media jobs", jobsVerdict),
  check("open payments", paymentsVerdict),
  check("payouts", payoutsVerdict),
  check("reports", async (db, now) => (await reportsFigure(db, now)).verdict),
];

/** A server writes a change within some tens of milliseconds, and a large import within some seconds. */
const catchesUpMs = 5_000;
const lookEveryMs = 250;
/**
 * OpenSearch allocates no more shards to a node with a fuller disk (`cluster.routing.allocation.disk.watermark.low`).
 */
const fullPercent = 85;

export const catalogueCheck: DatabaseCheck = {
  name: "OpenSearch",
  run: async ({ config: { catalogueEngine: engine }, database }) => {
    if (engine === null) return unused("CATALOGUE_ENGINE is not set: each server has the catalogue in its memory.");
    const { engineStatus } = await import("@beatmarket/catalogue-opensearch/upkeep.ts");
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const session = { applicationName: "beatmarket doctor", lastMigration };
    const look = () => engineStatus({ engine, address: database.address, session, log });
    try {
      const first = await look();
      const untilMs = performance.now() + catchesUpMs;
      let status = first;
      // Only the changes before the first read must arrive, not later changes of other processes.
      while (isBehind(status, first) && performance.now() < untilMs) {
        await sleep(lookEveryMs);
        status = await look();
      }
      return clusterVerdict(status, isBehind(status, first));
    } catch (error) {
      return wrong(
        `The state of the cluster cannot be read: ${(error as { details?: string }).details ?? (error as Error).message}`,
        "Bring it back, or correct CATALOGUE_ENGINE (docs/operating.md, The catalogue in OpenSearch).",
      );
    }
  },
};

const isBehind = ({ build }: EngineStatus, { newest_position }: EngineStatus): boolean =>
  build !== null && build.position < newest_position;

/** The result of the check. `isLate` means that the cluster has not applied the changes within 5 seconds. */
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
