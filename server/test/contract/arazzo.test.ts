import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { ownCertificate } from "@beatmarket/http/tls/certificate.ts";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { permissions } from "../../src/access/permissions.ts";
import { testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";

// Each published flow is executed as it is written, by a program that is not ours, against a real server.

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "contract/arazzo");
const run = promisify(execFile);
const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-arazzo-"));
afterAll(() => rm(dataDir, { recursive: true }));
const certificate = await ownCertificate(
  { dataDir, organization: "Beats", hosts: ["localhost"] },
  systemClock,
  pino({ level: "silent" }),
);
const api = await testApi({ certificate });
await insertBeats(
  api.database,
  ["One", "Two", "Three"].map((word) => ({ title: `Lantern ${word}`, genre: "Trap", bpm: 140, priceCents: 2990 })),
);
await api.app.listen({ port: 0, host: "127.0.0.1" });
const { port } = api.app.server.address() as AddressInfo;

const inputs = {
  key: await api.makeKey({ permissions: [...permissions] }),
  query: "lantern",
  payment_method: "pm_card_visa",
  title: "Late drives",
};

/** Resolves to what it printed. Rejects when a step or a check failed. */
const respect = (file: string, given: Partial<typeof inputs> = {}) =>
  run(
    join(root, "node_modules/.bin/redocly"),
    [
      ...["respect", join(folder, file), "--server", `beats=https://localhost:${port}/v1`],
      ...Object.entries({ ...inputs, ...given }).flatMap(([name, value]) => ["--input", `${name}=${value}`]),
    ],
    { cwd: root, env: { ...process.env, ...quiet, NODE_EXTRA_CA_CERTS: join(dataDir, "tls/ca.pem") } },
  ).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${stdout}${stderr}`);
  });

const files = await readdir(folder);

test("there are five flows", () => {
  expect(files).toEqual(["buy.yaml", "checkout.yaml", "events.yaml", "mirror.yaml", "playlist.yaml"]);
});

test.for(files)("%s runs to its end", async (file) => {
  const { stdout, stderr } = await respect(file);
  expect(stdout + stderr).toMatch(/1 passed/);
});

test("a flow whose payment is declined fails, so a silent run is noticed", async () => {
  await expect(respect("buy.yaml", { payment_method: "pm_card_visa_chargeDeclined" })).rejects.toThrow();
});
