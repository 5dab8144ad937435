import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hostsAddresses } from "./public-addresses.ts";

it("every address of a name is found, letter case is ignored, and comments are skipped", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hosts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "hosts");
  await writeFile(file, "127.0.0.1\tlocalhost\n10.0.0.5  Receiver.test alias # old.test\r\nfd00::5 receiver.test\n");
  expect(await hostsAddresses("receiver.TEST.", file)).toEqual(["10.0.0.5", "fd00::5"]);
  expect(await hostsAddresses("alias", file)).toEqual(["10.0.0.5"]);
  expect(await hostsAddresses("old.test", file)).toEqual([]);
  expect(await hostsAddresses("localhost", file)).toEqual(["127.0.0.1"]);
});

it("localhost resolves to the loopback addresses without a hosts file", async () => {
  expect(await hostsAddresses("localhost", "/nonexistent")).toEqual(["127.0.0.1", "::1"]);
  expect(await hostsAddresses("app.localhost", "/nonexistent")).toEqual(["127.0.0.1", "::1"]);
  expect(await hostsAddresses("example.com", "/nonexistent")).toEqual([]);
});
