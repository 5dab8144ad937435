import { parseArgs } from "node:util";
import { faults, play } from "./programme.ts";
import { Report } from "./report.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    soak: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const print = (text: string) => process.stdout.write(`${text}\n`);

if (values.help) {
  print(`Plays faults against real processes (server, worker, PostgreSQL, Redis), prints what was measured, and ends with
"N passed, N failed". It takes about 50 minutes on two cores that nothing else uses, 20 of them
for strangers.

npm run faults                              all of them
npm run faults -- --only postgres-killed    one; may be repeated, or name several with commas
npm run faults -- --soak                    also half an hour at half of the capacity

${faults.map(({ name, about }) => `${name.padEnd(22)} ${about}`).join("\n")}`);
} else await playAll();

async function playAll(): Promise<void> {
  const wanted = values.only.flatMap((names) => names.split(","));
  const unknown = wanted.filter((name) => !faults.some((fault) => fault.name === name));
  const report = new Report({
    bounds: "held",
    show: ({ check, outcome, figure }) => print(`  ${outcome === "failed" ? "FAILED" : outcome}  ${check}: ${figure}`),
    // Beside what was found, which may go into a file.
    tell: (progress) => process.stderr.write(`  … ${progress}\n`),
  });
  if (unknown.length > 0) {
    print(`There is no fault ${unknown.join(", ")}; there are ${faults.map(({ name }) => name).join(", ")}.`);
    process.exitCode = 1;
    return;
  }
  for (const fault of faults) {
    const isWanted = wanted.length === 0 ? fault.name !== "soak" || values.soak : wanted.includes(fault.name);
    if (!isWanted) continue;
    print(`${fault.name}: ${fault.about}`);
    const startMs = performance.now();
    await play(fault, report, "whole");
    print(`  (${((performance.now() - startMs) / 1000).toFixed(0)} s)`);
  }
  const skipped = report.count("skipped");
  if (skipped > 0) print(`${skipped} skipped`);
  print(`${report.count("passed")} passed, ${report.count("failed")} failed`);
  process.exitCode = report.count("failed") === 0 ? 0 : 1;
}
