import type { ReportingBench } from "../../bench.ts";
import { runProgram } from "../../processes/programs.ts";

const calls = 100_000;

type Figures = Record<string, { value: number; unit: string }>;

/**
 * Writes the same calls to both stores of the request log. Reports bytes, CPU, and the time of searches. Needs no HTTP
 * server.
 */
export async function requestLog({ report, say }: ReportingBench): Promise<void> {
  say(`writing ${calls.toLocaleString("en")} calls into each store …`);
  const tool = "server/tools/load/measure-log-stores.main.ts";
  const stores = JSON.parse(await runProgram([tool, "--calls", String(calls), "--json"])) as Record<string, Figures>;
  for (const [store, figures] of Object.entries(stores))
    for (const [label, { value, unit }] of Object.entries(figures))
      report({ case: `request log: ${store}, ${label}`, value, unit, target: null });
}
