import { readdir, readFile, writeFile } from "node:fs/promises";
import { sql } from "kysely";
import { checkSeed, faultsOf, type KeptSeed, pass, usualDays } from "../../sandboxes/seeds/check-seeds.ts";
import { openWorld, type World } from "../../sandboxes/seeds/world.ts";
import type { Fault } from "../fault.ts";
import type { FaultPostgres } from "../stage/postgres.ts";

const comparedSeeds = 100;
const seeds = 1_000;
/** The days of a seed without a comparison: until the first payouts have arrived. */
const shortDays = 34;
const years = 10;
const ordersOfYears = 50_000;
const maxCpuSeconds = 60;
const days = 365 * years;

/** The seeds that have failed. The tests of the sandboxes run each of them again. */
const keptSeeds = new URL("../../sandboxes/seeds/kept-seeds.json", import.meta.url);

export const timeMachine: Fault = {
  name: "time-machine",
  about: "sandboxes of 1,000 seeds pass months, and one passes ten years",
  run: async (stage, report, extent, times, seed) => {
    const postgres = await stage.postgres();
    const database = stage.connect(postgres);
    const server = {
      admin: { url: postgres.url() },
      owner: null,
      prefix: "sandbox_",
      addressOf: (name: string) => ({ url: postgres.url(name) }),
    };
    const world = await openWorld(database, server, stage.folder);
    try {
      const play = async (name: string, extent: Omit<KeptSeed, "seed">) => {
        const { faults } = await checkSeed(world, name, extent);
        if (faults.length === 0) return true;
        await keep({ seed: name, ...extent });
        report.check(`npm run faults -- --only time-machine --seed ${name}`, false, faults.join("; "));
        return false;
      };
      if (seed !== undefined) {
        const kept = (await readKept()).find((each) => each.seed === seed) ?? { days: usualDays, copies: 2 };
        const { days, copies } = kept;
        if (await play(seed, { days, copies }))
          report.check(`seed ${seed} passes ${days} days in ${copies} sandboxes without a fault`, true, seed);
        return;
      }
      const compared = times ?? (extent === "short" ? 1 : comparedSeeds);
      const all = times === undefined && extent === "whole" ? seeds : compared;
      let [same, right] = [0, 0];
      for (let number = 1; number <= all; number++) {
        const isCompared = number <= compared;
        const usual = { days: usualDays, copies: 2 };
        const isRight = await play(`seed-${number}`, isCompared ? usual : { days: shortDays, copies: 1 });
        if (isRight && isCompared) same++;
        if (isRight) right++;
        if (number % 10 === 0) report.progress(`${number} of ${all} seeds`);
      }
      report.check(
        "seeds whose events, catalogue, orders, mails and ledger are the same bytes twice",
        same === compared,
        `${same} of ${compared}`,
      );
      report.check(
        "seeds with a ledger of sum zero, and exclusive licenses sold once",
        right === all,
        `${right} of ${all}`,
      );
      const { faults } = await checkSeed(world, "planted", { copies: 2, days: 2, harm: (db) => plant.execute(db) });
      report.check("a planted mistake is noticed", faults.length > 0, faults[0] ?? "not noticed");
      if (extent === "whole" && times === undefined) {
        const { orders, cpuSeconds, wrong } = await passYears(world, postgres);
        report.check(
          `${years} years have their orders, and no fault`,
          orders >= ordersOfYears && wrong.length === 0,
          orders,
        );
        report.bound(
          `CPU of ${years} years with ${ordersOfYears.toLocaleString("en")} orders`,
          cpuSeconds,
          maxCpuSeconds,
          "s",
        );
      }
    } finally {
      await world.close();
    }
  },
};

const plant = sql`set session_replication_role = replica; update orders set payment_key = payment_key || 'x' where id = 1`;

const readKept = async (): Promise<KeptSeed[]> => JSON.parse(await readFile(keptSeeds, "utf8"));

async function keep(failed: KeptSeed): Promise<void> {
  const others = (await readKept()).filter(({ seed }) => seed !== failed.seed);
  await writeFile(keptSeeds, `${JSON.stringify([...others, failed], null, 2)}\n`);
}

/** The CPU of this process and of all processes of PostgreSQL. */
async function passYears(world: World, postgres: FaultPostgres) {
  const { id } = await world.control.create({ seed: "years", catalogue: "demo", webhookUrl: null });
  const used = async () =>
    process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 + (await cpuSecondsOf(postgres));
  const before = await used();
  const request = {
    byMs: days * 86_400_000,
    ordersPerDay: Math.ceil(ordersOfYears / days) + 1,
    outages: [],
    bouncedPerMille: 20,
    disputedPerMille: 10,
    failedPayoutsPerMille: 20,
  };
  const { orders } = await pass(world, id, days, request);
  const cpuSeconds = ((await used()) - before) * (ordersOfYears / orders);
  return { orders, cpuSeconds, wrong: await world.within(id, faultsOf) };
}

/** The postmaster counts its ended children. The CPU of the other processes is in /proc. */
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
    const [parent, own, ended] = [
      fields[1],
      Number(fields[11]) + Number(fields[12]),
      Number(fields[13]) + Number(fields[14]),
    ];
    if (pid === postmaster) ticks += own + ended;
    else if (parent === postmaster) ticks += own;
  }
  return ticks / 100;
}
