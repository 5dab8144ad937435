import { readFile, writeFile } from "node:fs/promises";
import { sql } from "kysely";
import { checkSeed, type KeptSeed, usualDays } from "../../sandboxes/seeds/check-seeds.ts";
import type { Fault } from "../fault.ts";
import { openStageWorld } from "../stage/world.ts";

const comparedSeeds = 100;
const seeds = 1_000;
/** The days of a seed without a comparison: until the first payouts have arrived. */
const shortDays = 34;

/** The seeds that have failed. The tests of the sandboxes run each of them again. */
const keptSeeds = new URL("../../sandboxes/seeds/kept-seeds.json", import.meta.url);

export const timeMachine: Fault = {
  name: "time-machine",
  about: "sandboxes of 1,000 seeds pass months",
  run: async (stage, report, extent, times, seed) => {
    const { world } = await openStageWorld(stage);
    try {
      const play = async (name: string, extent: Omit<KeptSeed, "seed">) => {
        const { faults } = await checkSeed(world, name, extent);
        if (faults.length === 0) return true;
        await storeFailedSeed({ seed: name, ...extent });
        report.check(`npm run faults -- --only time-machine --seed ${name}`, false, faults.join("; "));
        return false;
      };
      if (seed !== undefined) {
        const failedSeed = (await readFailedSeeds()).find((each) => each.seed === seed) ?? {
          days: usualDays,
          copies: 2,
        };
        const { days, copies } = failedSeed;
        if (await play(seed, { days, copies }))
          report.check(`seed ${seed} passes ${days} days in ${copies} sandboxes without a fault`, true, seed);
        return;
      }
      const compared = times ?? (extent === "short" ? 1 : comparedSeeds);
      const seedCount = times === undefined && extent === "whole" ? seeds : compared;
      let [equalCount, faultlessCount] = [0, 0];
      for (let number = 1; number <= seedCount; number++) {
        const isCompared = number <= compared;
        const usualExtent = { days: usualDays, copies: 2 };
        const isRight = await play(`seed-${number}`, isCompared ? usualExtent : { days: shortDays, copies: 1 });
        if (isRight && isCompared) equalCount++;
        if (isRight) faultlessCount++;
        if (number % 10 === 0) report.progress(`${number} of ${seedCount} seeds`);
      }
      report.check(
        "seeds whose events, catalogue, orders, mails and ledger are byte for byte the same in two runs",
        equalCount === compared,
        `${equalCount} of ${compared}`,
      );
      report.check(
        "seeds with a ledger of sum zero, and exclusive licenses sold once",
        faultlessCount === seedCount,
        `${faultlessCount} of ${seedCount}`,
      );
      const { faults } = await checkSeed(world, "planted", { copies: 2, days: 2, harm: (db) => plant.execute(db) });
      report.check("a planted mistake is noticed", faults.length > 0, faults[0] ?? "not noticed");
    } finally {
      await world.close();
    }
  },
};

const plant = sql`set session_replication_role = replica; update orders set payment_key = payment_key || 'x' where id = 1`;

const readFailedSeeds = async (): Promise<KeptSeed[]> => JSON.parse(await readFile(keptSeeds, "utf8"));

async function storeFailedSeed(failed: KeptSeed): Promise<void> {
  const otherSeeds = (await readFailedSeeds()).filter(({ seed }) => seed !== failed.seed);
  await writeFile(keptSeeds, `${JSON.stringify([...otherSeeds, failed], null, 2)}\n`);
}
