import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Case } from "../case.ts";
import { run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const folder = join(import.meta.dirname, "../../../../.github/workflows");

export const workflowsCase: Case = {
  name: "workflows",
  about: "the workflows of .github, by the newest actionlint",
  run: async (bench, report) => {
    const actionlint = join(await bench.install(tools.actionlint), "bin/actionlint");
    const cwd = await bench.folder();
    for (const name of await readdir(folder)) {
      const { status, output } = await run(actionlint, ["-no-color", join(folder, name)], { cwd });
      report.check(`actionlint accepts ${name}`, status === 0, status === 0 ? 0 : output);
    }
    const text = await readFile(join(folder, "publish.yml"), "utf8");
    await writeFile(join(cwd, "wrong.yml"), text.replace("attestations: write", "attestation: write"));
    const refused = await run(actionlint, ["-no-color", "wrong.yml"], { cwd });
    report.check("actionlint refuses a misspelt permission", refused.status !== 0, `status ${refused.status}`);
  },
};
