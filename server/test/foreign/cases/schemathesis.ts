import { join } from "node:path";
import type { Case } from "../case.ts";
import { run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const config = join(import.meta.dirname, "schemathesis.toml");
const hooks = "schemathesis_hooks";
/** A fixed seed, so that every run sends the same requests. */
const seed = 20_261_122;
const examplesPerOperation = 50;
const longestMs = 15 * 60_000;

export const schemathesis: Case = {
  name: "schemathesis",
  about: "requests made from the served document: examples, coverage, fuzzing, stateful; every check",
  run: async (bench, report) => {
    const tool = await bench.install(tools.schemathesis);
    const market = await bench.market();
    const key = await market.key("schemathesis@example.com");
    const args = [
      ...["-m", "schemathesis.cli", "--config-file", config, "run", `${market.origin}/openapi.json`],
      ...["--tls-verify", market.caFile, "--header", `Authorization: Bearer ${key}`],
      ...["--phases", "examples,coverage,fuzzing,stateful", "--checks", "all", "--continue-on-failure"],
      ...["--max-examples", String(examplesPerOperation), "--seed", String(seed), "--workers", "1"],
      "--no-color",
    ];
    const env = { REQUESTS_CA_BUNDLE: market.caFile, SCHEMATHESIS_HOOKS: hooks, PYTHONPATH: import.meta.dirname };
    const cwd = await bench.folder();
    const { status, output } = await run(join(tool, "bin/python3"), args, { cwd, env, timeoutMs: longestMs });
    const cases = /\d[\d,]* generated.*/.exec(output)?.[0] ?? "all passed";
    report.check("Schemathesis finds nothing", status === 0, status === 0 ? cases : output);
  },
};
