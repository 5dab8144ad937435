import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Case } from "../case.ts";
import { run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const folder = join(import.meta.dirname, "../../../../deploy/observability");

export const prometheusCase: Case = {
  name: "promtool",
  about: "the alert rules, and that each of them fires and stays quiet when it should",
  run: async (bench, report) => {
    const promtool = join(await bench.install(tools.prometheus), "usr/bin/promtool");
    const cwd = await bench.folder();
    for (const file of ["alerts.yml", "alerts.test.yml"]) await copyFile(join(folder, file), join(cwd, file));
    const checked = await run(promtool, ["check", "rules", "alerts.yml"], { cwd });
    report.check("promtool accepts the rules", checked.status === 0, checked.output);
    const tested = await run(promtool, ["test", "rules", "alerts.test.yml"], { cwd });
    report.check("the tests of the rules pass", tested.status === 0, tested.output);
  },
};
