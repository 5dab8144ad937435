import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Case } from "../case.ts";
import { run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const root = join(import.meta.dirname, "../../../..");

/** Uses the rules of redocly.yaml, as `npm run check` does for the committed document. */
const redocly: Case = {
  name: "redocly",
  about: "lints the served document with Redocly",
  run: async (bench, report) => {
    const { document } = await bench.market();
    const args = [join(root, "node_modules/.bin/redocly"), "lint", document, "--config", join(root, "redocly.yaml")];
    const { status, output } = await run(process.execPath, args, { cwd: root });
    const isClean = status === 0 && !/warning/i.test(output);
    report.check("no error or warning", isClean, isClean ? "none" : output);
  },
};

const spectral: Case = {
  name: "spectral",
  about: "lints the served document with the rules spectral:oas",
  run: async (bench, report) => {
    const tool = await bench.install(tools.spectral);
    const { document } = await bench.market();
    const cwd = await bench.folder();
    await writeFile(join(cwd, "rules.yaml"), "extends: spectral:oas\n");
    const program = join(tool, "node_modules/.bin/spectral");
    const args = ["lint", document, "--ruleset", "rules.yaml", "--fail-severity", "hint", "--format", "text"];
    const { status, output } = await run(process.execPath, [program, ...args], { cwd });
    report.check("no error, warning or hint", status === 0, status === 0 ? "none" : output);
  },
};

export const linters: readonly Case[] = [redocly, spectral];
