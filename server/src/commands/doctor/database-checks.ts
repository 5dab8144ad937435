import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { counted } from "@beatmarket/foundation/text/counted.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { missingMigrations } from "../../database/migrations.ts";
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
import { openSecretBox } from "../../resources/secrets/secret-box.ts";
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
    const remedy = "Make one: npx beatmarket users operator NAME";
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
      `${counted(beats, "beat")} offers an unlimited or exclusive license at 0, which nobody can buy.`,
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
