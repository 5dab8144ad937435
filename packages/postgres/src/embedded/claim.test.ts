import { join } from "node:path";
import { expect, test } from "vitest";
import { accountNames, temporaryFolder, testAccount } from "../../testing/accounts.ts";
import { startProgram } from "../../testing/processes.ts";
import { claimDataDir } from "./claim.ts";

const currentAccount = process.getuid?.() === 0 ? "root" : "an ordinary user";
const main = join(import.meta.dirname, "../../testing/opener.main.ts");
const claimer = (dataDir: string) => startProgram(process.execPath, [main, "claim", dataDir], {});

test("a second server in a data folder is refused with the process id of the first server", async () => {
  const dataDir = await temporaryFolder(currentAccount);
  const first = claimer(dataDir);
  expect(JSON.parse(await first.nextLine())).toEqual({ claimed: true });
  const sentence = `Another server (process ${first.pid}) already runs on DATA_DIR ${dataDir}. Stop it, or give this one a DATA_DIR of its own.`;
  await expect(claimDataDir(dataDir)).rejects.toThrow(sentence);

  first.child.stdin?.end();
  await first.ended;
  const claim = await claimDataDir(dataDir);
  await expect(claimDataDir(dataDir)).rejects.toThrow(`process ${process.pid}`);
  await claim.release();
});

test("the claim of a killed server ends", async () => {
  const dataDir = await temporaryFolder(currentAccount);
  const first = claimer(dataDir);
  await first.nextLine();
  first.child.kill("SIGKILL");
  await first.ended;
  await (await claimDataDir(dataDir)).release();
});

test("only one of several servers that start at the same time gets the folder", async () => {
  const dataDir = await temporaryFolder(currentAccount);
  const programs = Array.from({ length: 6 }, () => claimer(join(dataDir, "a/new/folder")));
  const results = await Promise.all(programs.map(async (program) => JSON.parse(await program.nextLine())));
  expect(results.filter(({ claimed }) => claimed)).toHaveLength(1);
  expect(results.filter(({ error }) => /already runs on DATA_DIR/.test(error))).toHaveLength(5);
});

test.each(accountNames)("%s can claim a folder that does not exist yet", async (name) => {
  const { ids, node, repository, env } = await testAccount(name);
  const dataDir = join(await temporaryFolder(name), "a/b");
  const opener = join(repository, "packages/postgres/testing/opener.main.ts");
  const program = startProgram(node, [opener, "claim", dataDir], { ...ids, cwd: "/", env });
  expect(JSON.parse(await program.nextLine())).toEqual({ claimed: true });
});
