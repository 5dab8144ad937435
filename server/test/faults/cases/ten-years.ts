import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import type { Queryable } from "../../../src/database/connect.ts";
import { faultsOf, pass } from "../../sandboxes/seeds/check-seeds.ts";
import type { Fault } from "../fault.ts";
import type { FaultPostgres } from "../stage/postgres.ts";
import { openStageWorld } from "../stage/world.ts";

const usualYears = 10;
const ordersPerYear = 5_000;
const daysPerYear = 365;
/** 60 seconds for ten years. */
const maxCpuMsPerOrder = 1.2;

export const tenYears: Fault = {
  name: "ten-years",
  about: "a sandbox passes ten years with 50,000 orders",
  run: async (stage, report, extent, times = extent === "short" ? 0.02 : usualYears) => {
    const { world, postgres } = await openStageWorld(stage);
    try {
      const { id } = await world.control.create({ seed: "years", catalogue: "demo", webhookUrl: null });
      await world.within(id, addBeats);
      const before = await cpuMsOf(postgres);
      const days = Math.round(daysPerYear * times);
      const request = {
        byMs: days * 86_400_000,
        ordersPerDay: Math.ceil(ordersPerYear / daysPerYear) + 1,
        outages: [],
        bouncedPerMille: 20,
        disputedPerMille: 10,
        failedPayoutsPerMille: 20,
      };
      const { orders } = await pass(world, id, days, request);
      const after = await cpuMsOf(postgres);
      const problems = await world.within(id, faultsOf);
      const expected = Math.floor(ordersPerYear * times);
      report.check(`${days} days have their orders, and no fault`, orders >= expected && problems.length === 0, orders);
      const [service, database] = [
        (after.service - before.service) / orders,
        (after.database - before.database) / orders,
      ];
      const shares = `${service.toFixed(2)} ms in the service, ${database.toFixed(2)} ms in PostgreSQL`;
      report.bound(`CPU of an order (${shares})`, service + database, maxCpuMsPerOrder, "ms");
    } finally {
      await world.close();
    }
  },
};

/**
 * Adds a copy of each beat of the demo. Without the copies, the exclusive licenses of all beats would be sold within
 * the ten years, and no beat would be left to buy.
 */
const addBeats = (db: Queryable) =>
  sql`
    insert into beats (user_id, genre_id, title, tempo, key, key_code, tags, duration_seconds,
      price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents)
    select user_id, genre_id, title || ' again', tempo, key, key_code, tags, duration_seconds,
      price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents
    from beats order by id`.execute(db);

/** The CPU that this process and all processes of PostgreSQL have used, in milliseconds. */
async function cpuMsOf(postgres: FaultPostgres): Promise<{ service: number; database: number }> {
  const { user, system } = process.cpuUsage();
  return { service: (user + system) / 1_000, database: (await cpuSecondsOf(postgres)) * 1_000 };
}

/** The postmaster counts its ended children; the others are in /proc. */
async function cpuSecondsOf(postgres: FaultPostgres): Promise<number> {
  const [row] = await postgres.ask("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid");
  const postmaster = String(row?.pid);
  const stats = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => ({ pid, stat: await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "") })),
  );
  let ticks = 0;
  for (const { pid, stat } of stats) {
    // proc_pid_stat(5) numbers the fields from 1; the name, in parentheses, is the second.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [parent, ownTicks, ended] = [
      fields[1],
      Number(fields[11]) + Number(fields[12]),
      Number(fields[13]) + Number(fields[14]),
    ];
    if (pid === postmaster) ticks += ownTicks + ended;
    else if (parent === postmaster) ticks += ownTicks;
  }
  return ticks / 100;
}
