import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { permissions } from "../../src/access/roles.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { listeningApi } from "../harness/listening-api.ts";

// An independent program executes each published flow unchanged, against a real server.

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "contract/arazzo");
const run = promisify(execFile);
const silentEnv = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

const { api, origin, caFile } = await listeningApi();
await insertBeats(
  api.database,
  ["One", "Two", "Three"].map((word) => ({ title: `Lantern ${word}`, genre: "Trap", bpm: 140, priceCents: 2990 })),
);

const inputs = {
  key: await api.makeKey({ permissions: [...permissions] }),
  query: "lantern",
  payment_method: "pm_card_visa",
  title: "Late drives",
};

/** Resolves to the program's output. Rejects when a step or a check failed. */
const runRespect = (file: string, ownInputs: Partial<typeof inputs> = {}) =>
  run(
    join(root, "node_modules/.bin/redocly"),
    [
      ...["respect", join(folder, file), "--server", `beats=${origin}/v1`],
      ...Object.entries({ ...inputs, ...ownInputs }).flatMap(([name, value]) => ["--input", `${name}=${value}`]),
    ],
    { cwd: root, env: { ...process.env, ...silentEnv, NODE_EXTRA_CA_CERTS: caFile } },
  ).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${stdout}${stderr}`);
  });

const files = await readdir(folder);

test("there are five flows", () => {
  expect(files).toEqual(["buy.yaml", "checkout.yaml", "events.yaml", "mirror.yaml", "playlist.yaml"]);
});

test.for(files)("%s runs to its end", async (file) => {
  const { stdout, stderr } = await runRespect(file);
  expect(stdout + stderr).toMatch(/1 passed/);
});

test("a flow whose payment is declined fails, which shows that a failed step is reported", async () => {
  await expect(runRespect("buy.yaml", { payment_method: "pm_card_visa_chargeDeclined" })).rejects.toThrow();
});
