import { spawnSync } from "node:child_process";
import { chown, cp, mkdtemp, readlink, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { programEnv } from "./processes.ts";

const repository = join(import.meta.dirname, "../../..");
const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
/** The parts of the repository that a program needs. */
const parts = ["package.json", "node_modules", "packages", "server", "scripts", "database", "contract"];

/** An account that runs the program under test. */
export interface TestAccount {
  /** Ids for `spawn`. Empty: the account that runs the tests. */
  ids: { uid?: number; gid?: number };
  /** The repository, at a path that this account can reach. */
  repository: string;
  /** Node, at a path that this account can reach. */
  node: string;
  /** `programEnv` with a compile cache that this account can write. */
  env: NodeJS.ProcessEnv;
}

/** The accounts for which tests can run: root if the tests run as root, and always an ordinary user. */
export const accountNames: readonly ("root" | "an ordinary user")[] = isRoot
  ? ["root", "an ordinary user"]
  : ["an ordinary user"];

const prepared = new Map<string, Promise<TestAccount>>();

/**
 * Prepares an account, once per test file. An account that cannot read the repository gets a copy of the necessary
 * parts, which takes half a minute.
 */
export function testAccount(name: "root" | "an ordinary user"): Promise<TestAccount> {
  const account = prepared.get(name) ?? prepare(name);
  prepared.set(name, account);
  afterTestFile(() => prepared.delete(name));
  return account;
}

async function prepare(name: "root" | "an ordinary user"): Promise<TestAccount> {
  const ids = isRoot && name !== "root" ? nobody : {};
  if (mayRun(ids, process.execPath) && parts.every((part) => mayRead(ids, join(repository, part))))
    return { ids, repository, node: process.execPath, env: await envOf(name) };
  if (name === "root") throw new Error("Root cannot read the repository.");
  const copy = await temporaryFolder(name);
  // Hard links if the file system allows them, since the copy has several hundred megabytes.
  const linking = spawnSync("cp", ["-al", ...parts.map((part) => join(repository, part)), copy], { stdio: "ignore" });
  if (linking.status !== 0)
    for (const part of parts)
      await cp(join(repository, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  const insideRepository = relative(repository, process.execPath);
  const node = insideRepository.startsWith("..") ? process.execPath : join(copy, insideRepository);
  if (!mayRun(ids, node)) throw new Error(`${name} cannot run Node at ${node}; install it where everyone can.`);
  return { ids, repository: copy, node, env: await envOf(name) };
}

const envOf = async (name: "root" | "an ordinary user"): Promise<NodeJS.ProcessEnv> =>
  isRoot && name !== "root" ? { ...programEnv, NODE_COMPILE_CACHE: await temporaryFolder(name) } : programEnv;

/**
 * Creates a folder of the account, mode 0700. Removes it at the end of the test file.
 */
export async function temporaryFolder(name: "root" | "an ordinary user"): Promise<string> {
  const folder = await mkdtemp("/tmp/beatmarket-test-");
  afterTestFile(() => removeFolder(folder));
  if (isRoot && name !== "root") await chown(folder, nobody.uid, nobody.gid);
  return folder;
}

/** Also removes the cluster, which is elsewhere if PostgreSQL's account cannot enter the data folder. */
async function removeFolder(folder: string): Promise<void> {
  const cluster = await readlink(join(folder, "data/postgres")).catch(() => undefined);
  if (cluster?.startsWith("/var/lib/beatmarket/")) await rm(cluster, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

/** Whether the account may read a file, or list and enter a folder. */
function mayRead(ids: TestAccount["ids"], path: string): boolean {
  const program = 'test -r "$0" && { test ! -d "$0" || test -x "$0"; }';
  return spawnSync("/bin/sh", ["-c", program, path], { ...ids, cwd: "/" }).status === 0;
}

function mayRun(ids: TestAccount["ids"], path: string): boolean {
  return spawnSync(path, ["--version"], { ...ids, cwd: "/" }).status === 0;
}
