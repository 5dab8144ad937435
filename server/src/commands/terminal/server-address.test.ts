import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../config.ts";
import { recordAddress, withServerAddress } from "./server-address.ts";

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-address-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "locks"));
  return folder;
}

const address = { port: 9443, host: "0.0.0.0", publicUrl: "https://beats.example.com", tls: { mode: "off" } };

test("commands have the address of the server that runs on their data folder, until it stops", async () => {
  const DATA_DIR = await dataFolder();
  const command = readConfig({ DATA_DIR });
  const env = { DATA_DIR, PORT: "9443", HOST: "0.0.0.0", PUBLIC_URL: "https://beats.example.com", TLS: "off" };
  const remove = await recordAddress(readConfig(env));
  expect(withServerAddress(command)).toEqual({ ...command, ...address });
  await remove();
  expect(withServerAddress(command)).toEqual(command);
});

test("a record of a process that has ended, or a damaged one, changes nothing", async () => {
  const DATA_DIR = await dataFolder();
  const command = readConfig({ DATA_DIR });
  await recordAddress(readConfig({ DATA_DIR, PORT: "9443" }));
  const file = join(DATA_DIR, "locks/server.json");
  const record = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...record, pid: spawnSync("true").pid }));
  expect(withServerAddress(command)).toEqual(command);
  await writeFile(file, '{"pid":');
  expect(withServerAddress(command)).toEqual(command);
});
