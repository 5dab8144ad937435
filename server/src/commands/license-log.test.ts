import { once } from "node:events";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { cheats, honestLeaves, keptLeaves, publishInto } from "../../test/foreign/cases/cheats.ts";
import { runHere } from "../../test/harness/command.ts";
import { licensesCommand } from "./licenses.ts";

const folder = await mkdtemp(join(tmpdir(), "beatmarket-license-log-command-"));
afterAll(() => rm(folder, { recursive: true }));
const pathOf = (name: string) => join(folder, name);

const licenses = (...args: string[]) => runHere(licensesCommand, ["licenses", ...args], {});

/** The text of the report for each kind of manipulation. */
const problems: Readonly<Record<string, RegExp>> = {
  "sold twice": /sells the exclusive license of beat \d+ again|placed after its exclusive license was sold/,
  backdated: /is dated before the leaf in front of it/,
  inconsistent: /of the last audit: one was changed or deleted, or the log was forked|so some were deleted/,
};

test("audit accepts an honest log that has grown, detects each of 50 manipulations, and stores no checkpoint of a manipulated log", async () => {
  await publishInto(pathOf("kept"), honestLeaves.slice(0, keptLeaves));
  expect(await licenses("audit", pathOf("kept"), "--keep", pathOf("kept.json"))).toMatchObject({
    status: 0,
    out: `${pathOf("kept")}: ${keptLeaves} leaves, ${keptLeaves} of them licenses.\nNothing is wrong.\n`,
  });
  const storedCheckpoint = await readFile(pathOf("kept.json"), "utf8");
  await copyFile(pathOf("kept.json"), pathOf("next.json"));
  await publishInto(pathOf("honest"), honestLeaves);
  expect((await licenses("audit", pathOf("honest"), "--keep", pathOf("next.json"))).status).toBe(0);
  expect(await readFile(pathOf("next.json"), "utf8")).not.toBe(storedCheckpoint);

  expect(cheats).toHaveLength(50);
  for (const [index, { name, verdictStart: problemKind, leaves }] of cheats.entries()) {
    await publishInto(pathOf(`cheat-${index}`), leaves);
    const { status, out } = await licenses("audit", pathOf(`cheat-${index}`), "--keep", pathOf("kept.json"), "--json");
    expect({ name, status, problems: JSON.parse(out).problems.join(" ") }).toEqual({
      name,
      status: 1,
      problems: expect.stringMatching(problems[problemKind] as RegExp),
    });
  }
  expect(await readFile(pathOf("kept.json"), "utf8")).toBe(storedCheckpoint);
});

test("witness --every keeps each checkpoint of a log that grows, and stops at a fork", async () => {
  const [log, keep] = [pathOf("watched"), pathOf("watched.json")];
  const keptSize = async () => Number(JSON.parse(await readFile(keep, "utf8")).checkpoint.split("\n")[1]);
  await publishInto(log, honestLeaves.slice(0, keptLeaves));
  const watching = licenses("witness", log, "--keep", keep, "--every", "1");
  await eventually(async () => expect(await keptSize()).toBe(keptLeaves));
  await publishInto(log, honestLeaves);
  await eventually(async () => expect(await keptSize()).toBe(honestLeaves.length));
  const storedCheckpoint = await readFile(keep, "utf8");
  await publishInto(log, cheats.find(({ name }) => name.startsWith("forked"))?.leaves ?? []);
  const { status, out, errors } = await watching;
  expect([status, out]).toEqual([
    1,
    `${log}: ${keptLeaves} leaves are stored in ${keep}.\n${log}: ${honestLeaves.length} leaves are stored in ${keep}.\n`,
  ]);
  expect(errors).toBe(
    "error: The log of 400 leaves does not continue from the checkpoint of 400 leaves that is stored. Keep both, because together they prove the fork.\n",
  );
  expect(await readFile(keep, "utf8")).toBe(storedCheckpoint);
});

test("witness --every continues after an outage of the marketplace, and without --every ends with the error", async () => {
  const [log, keep] = [pathOf("away"), pathOf("away.json")];
  let refusals = 0;
  let isAway = false;
  const server = createServer(async ({ url = "" }, response) => {
    if (isAway) {
      refusals++;
      response.writeHead(503).end();
      return;
    }
    const file = await readFile(join(log, url.replace("/licenses/log/", ""))).catch(() => null);
    response.writeHead(file === null ? 404 : 200).end(file);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keptSize = async () => Number(JSON.parse(await readFile(keep, "utf8")).checkpoint.split("\n")[1]);
  await publishInto(log, honestLeaves.slice(0, keptLeaves));
  const watching = licenses("witness", url, "--keep", keep, "--every", "1");
  await eventually(async () => expect(await keptSize()).toBe(keptLeaves));
  isAway = true;
  await publishInto(log, honestLeaves);
  await eventually(() => expect(refusals).toBeGreaterThan(1));
  isAway = false;
  await eventually(async () => expect(await keptSize()).toBe(honestLeaves.length));
  await publishInto(log, cheats.find(({ name }) => name.startsWith("forked"))?.leaves ?? []);
  const { status, errors } = await watching;
  expect([status, errors]).toEqual([1, expect.stringContaining("status 503. Trying again in 1 second.\n")]);
  isAway = true;
  expect(await licenses("witness", url, "--keep", keep)).toMatchObject({
    status: 1,
    errors: `error: ${url}/licenses/log/checkpoint cannot be read: status 503.\n`,
  });
});

test.each([
  ["--every 0", ["witness", "x", "--keep", pathOf("none.json"), "--every", "0"], /--every takes a number of seconds/],
  ["a place without a log", ["audit", folder], /has no license log: it has no verifier key/],
  ["--license for a folder", ["audit", pathOf("kept"), "--license", "a"], /--license needs the URL of a marketplace/],
])("%s is refused", async (_, args, message) => {
  expect(await licenses(...args)).toMatchObject({ status: 1, errors: expect.stringMatching(message) });
});
