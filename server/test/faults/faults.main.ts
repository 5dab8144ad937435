import { parseArgs } from "node:util";
import { listParts, runParts } from "../harness/programmes/run-parts.ts";
import { faults, play } from "./programme.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    soak: { type: "boolean", default: false },
    times: { type: "string" },
    seed: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(`Causes faults in real processes (server, worker, PostgreSQL, Redis), prints
what was measured, and ends with "N passed, N failed". It takes about four hours
on two cores that nothing else uses. Of these, strangers takes 20 minutes,
restore 55, and time-machine 100.

npm run faults                              all of them
npm run faults -- --only postgres-killed    one; may be repeated, or name several with commas or *
npm run faults -- --only restore --times 5  fewer lost disks than 50
npm run faults -- --only ten-years --times 1  one year of the ten
npm run faults -- --only time-machine --seed seed-7
                                            one seed: a failed seed with its stored settings, any other
                                            seed in two sandboxes
npm run faults -- --only time-machine --times 10
                                            only 10 seeds, each twice
npm run faults -- --only time-machine --seed 1-500
                                            half of the 1,000 seeds: the first 100 twice, the others once
npm run faults -- --soak                    also half an hour at half of the capacity

${listParts(faults)}\n`);
} else
  await runParts({
    parts: faults,
    only: values.only,
    isUsual: ({ name }) => name !== "soak" || values.soak,
    play: (fault, report) =>
      play(fault, report, "whole", {
        times: values.times === undefined ? undefined : Number(values.times),
        seed: values.seed,
      }),
  });
