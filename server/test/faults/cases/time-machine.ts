import { readFile, writeFile } from "node:fs/promises";
import { sql } from "kysely";
import {
  checkSeed,
  comparedExtent,
  type KeptSeed,
  plantedExtent,
  type SeedExtent,
  shortExtent,
} from "../../sandboxes/seeds/check-seeds.ts";
import type { World } from "../../sandboxes/seeds/world.ts";
import type { Fault } from "../fault.ts";
import { openStageWorld } from "../stage/world.ts";

const comparedSeeds = 100;
const allSeeds = 1_000;
/** Seeds that run at the same time, each in one sandbox at a time: an account may have five. */
const atOnce = 4;

/** The seeds that have failed. The tests of the sandboxes run each of them again. */
const keptSeeds = new URL("../../sandboxes/seeds/kept-seeds.json", import.meta.url);

export const timeMachine: Fault = {
  name: "time-machine",
  about: "sandboxes of 1,000 seeds pass months",
  run: async (stage, report, extent, times, seed) => {
    const { world } = await openStageWorld(stage);
    const play = async (name: string, seedExtent: SeedExtent) => {
      const faults = await faultsOfSeed(world, name, seedExtent);
      if (faults.length > 0)
        report.check(`npm run faults -- --only time-machine --seed ${name}`, false, faults.join("; "));
      return faults.length === 0;
    };
    try {
      const range = seed === undefined ? null : /^(\d+)-(\d+)$/.exec(seed);
      if (seed !== undefined && range === null) {
        const failedSeed = (await readFailedSeeds()).find((each) => each.seed === seed);
        const { days, copies, hasReceiver } = failedSeed ?? comparedExtent;
        if (await play(seed, { days, copies, hasReceiver }))
          report.check(`seed ${seed} passes ${days} days in ${copies} sandboxes without a fault`, true, seed);
        return;
      }
      const compared = times ?? (extent === "short" ? 1 : comparedSeeds);
      const [first, last] =
        range === null
          ? [1, times === undefined && extent === "whole" ? allSeeds : compared]
          : [Number(range[1]), Number(range[2])];
      const passed = { compared: 0, once: 0 };
      const played = { compared: 0, once: 0 };
      let next = first;
      const playSeeds = async () => {
        while (next <= last) {
          const number = next++;
          const kind = number <= compared ? "compared" : "once";
          if (await play(`seed-${number}`, kind === "compared" ? comparedExtent : shortExtent)) passed[kind]++;
          played[kind]++;
          const count = played.compared + played.once;
          if (count % 10 === 0) report.progress(`${count} of ${last - first + 1} seeds`);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, playSeeds));
      report.check(
        "seeds whose events, catalogue, orders, mails and ledger are byte for byte the same in two runs",
        passed.compared === played.compared,
        `${passed.compared} of ${played.compared}`,
      );
      report.check(
        "seeds with a ledger of sum zero, and exclusive licenses sold once",
        passed.compared + passed.once === last - first + 1,
        `${passed.compared + passed.once} of ${last - first + 1}`,
      );
      const { faults } = await checkSeed(world, "planted", plantedExtent, (db) => plant.execute(db));
      report.check("a planted mistake is noticed", faults.length > 0, faults[0] ?? "not noticed");
    } finally {
      await world.close();
    }
  },
};

/** Returns the faults of a seed. Stores the seed if it has faults. */
async function faultsOfSeed(world: World, seed: string, extent: SeedExtent): Promise<string[]> {
  const { faults } = await checkSeed(world, seed, extent).catch((error: unknown) => ({ faults: [String(error)] }));
  if (faults.length > 0) await storeFailedSeed({ seed, ...extent });
  return faults;
}

const plant = sql`set session_replication_role = replica; update orders set payment_key = payment_key || 'x' where id = 1`;

const readFailedSeeds = async (): Promise<KeptSeed[]> => JSON.parse(await readFile(keptSeeds, "utf8"));

async function storeFailedSeed(failed: KeptSeed): Promise<void> {
  const otherSeeds = (await readFailedSeeds()).filter(({ seed }) => seed !== failed.seed);
  await writeFile(keptSeeds, `${JSON.stringify([...otherSeeds, failed], null, 2)}\n`);
}
