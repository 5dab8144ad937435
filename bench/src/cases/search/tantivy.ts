import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openEngine } from "@beatmarket/catalogue-index/engine/open-engine.ts";
import { EngineProgram } from "@beatmarket/catalogue-index/testing/engine-program.ts";
import type { ReportingBench } from "../../bench.ts";
import { entriesOf } from "../../catalogue/entries.ts";
import { engineQueries } from "./engine-queries.ts";
import { inMemory, type MeasuredEngine, measure, ratioOfCpu } from "./measured-engine.ts";

const python = "python3";
const program = fileURLToPath(new URL("../../../peers/tantivy_engine.py", import.meta.url));
const comparedKinds = ["filters and total", "two words", "a misspelt word"];

/**
 * Sends the same queries to the index in memory and to a search engine on Tantivy. `npm run quality -- --engine` judges
 * what both find. Uses no HTTP server and no PostgreSQL.
 */
export async function tantivy({ beats, source, report, say }: ReportingBench): Promise<void> {
  const row = (name: string, value: number, unit: string) =>
    report({ case: `tantivy: ${name}`, value, unit, target: null });
  if (spawnSync(python, ["-c", "import tantivy"]).status !== 0)
    return say(
      "Python has no tantivy: install it with pip, into a virtual environment whose python3 comes first in PATH.",
    );
  say("reading the rows …");
  const rows = await entriesOf(source, beats);
  const memory = openEngine();
  memory.apply(rows);
  while (memory.compact());
  const peer = new EngineProgram([python, program]);
  try {
    say("writing the rows into Tantivy …");
    await peer.load(rows);
    row("Tantivy, a build", (peer.cpuSeconds * 1e6) / beats, "µs of CPU a beat");
    const queriesByKind = engineQueries(rows);
    const tantivy: MeasuredEngine = {
      name: "Tantivy",
      queries: { list: (query) => peer.list(query), search: (query) => peer.search(query), similar: unsupported },
      cpuSeconds: async () => peer.cpuSeconds,
    };
    for (const kind of comparedKinds) {
      const queries = queriesByKind[kind] ?? [];
      const own = await measure(inMemory(memory), kind, queries, row);
      report(ratioOfCpu(`tantivy: ${kind}`, await measure(tantivy, kind, queries, row), own));
    }
  } finally {
    await peer.close();
  }
}

const unsupported = (): never => {
  throw new Error("The peer finds no similar beats.");
};
