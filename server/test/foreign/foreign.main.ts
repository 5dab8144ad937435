import { parseArgs } from "node:util";
import { Stage } from "../faults/stage/stage.ts";
import { listParts, runParts } from "../harness/programmes/run-parts.ts";
import { Bench } from "./bench.ts";
import { cases, play } from "./programme.ts";
import { cache, packagesOf } from "./tools/install.ts";
import { tools } from "./tools/versions.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    orders: { type: "string", default: "2000" },
    kills: { type: "string", default: "10" },
    checkpoints: { type: "string", default: "2" },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const print = (text: string) => process.stdout.write(`${text}\n`);

if (values.help)
  print(`Installs other people's tools below ${cache}
and runs them against a real server: linters, generators, schemathesis and receivers of webhooks. Ends with
"N passed, N failed". Tools that cannot be installed here are skipped, with their names.

npm run foreign                                  all of them
npm run foreign -- --only spectral               one; may be repeated, or name several with commas or *
npm run foreign -- --only 'standardwebhooks-*'
npm run foreign -- --only licenses-log-kills --orders 100000 --kills 200 --checkpoints 1000
npm run foreign -- --list                        the cases, and the versions of the tools

${listParts(cases)}`);
else if (values.list) {
  const versions = Object.values(tools).map((tool) => `${tool.registry.padEnd(14)} ${packagesOf(tool)}`);
  print(`${listParts(cases)}\n\n${versions.join("\n")}`);
} else {
  const stage = await Stage.open();
  let bench: Bench | null = null;
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => void stage.close().finally(() => process.exit(1)));
  try {
    await runParts({
      parts: cases,
      only: values.only,
      play: (part, report) => {
        bench ??= new Bench(stage, report, {
          orders: Number(values.orders),
          kills: Number(values.kills),
          checkpoints: Number(values.checkpoints),
        });
        return play(part, bench, report);
      },
    });
  } finally {
    await stage.close();
  }
}
