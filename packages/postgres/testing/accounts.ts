import { spawnSync } from "node:child_process";
import { chown, cp, mkdtemp, readlink, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { programEnv } from "./processes.ts";

const repository = join(import.meta.dirname, "../../..");
const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
/** What runs, of the repository. */
const parts = ["package.json", "node_modules", "packages", "server", "scripts", "database", "contract"];

/** Somebody who runs the program under test. */
export interface TestAccount {
  /** Ids for spawn; none: the account that runs the tests. */
  ids: { uid?: number; gid?: number };
  /** The repository, at a path that this account can reach. */
  repository: string;
  /** Node, at a path that this account can reach. */
  node: string;
  /** As `programEnv`, with a compile cache that this account can write. */
  env: NodeJS.ProcessEnv;
}

/** The accounts that this machine can try: root, when the tests run as root, and one that is not root, always. */
export const accountNames: readonly ("root" | "an ordinary user")[] = isRoot
  ? ["root", "an ordinary user"]
  : ["an ordinary user"];

const prepared = new Map<string, Promise<TestAccount>>();

/**
 * Prepares an account, once for the test file: one that cannot reach the repository where it is gets a copy of what runs,
 * which takes half a minute.
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
  // Hard links where the file system allows: the copy is made of some hundred megabytes.
  const linked = spawnSync("cp", ["-al", ...parts.map((part) => join(repository, part)), copy], { stdio: "ignore" });
  if (linked.status !== 0)
    for (const part of parts)
      await cp(join(repository, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  const insideRepository = relative(repository, process.execPath);
  const node = insideRepository.startsWith("..") ? process.execPath : join(copy, insideRepository);
  if (!mayRun(ids, node)) throw new Error(`${name} cannot run Node at ${node}; install it where everybody can.`);
  return { ids, repository: copy, node, env: await envOf(name) };
}

const envOf = async (name: "root" | "an ordinary user"): Promise<NodeJS.ProcessEnv> =>
  isRoot && name !== "root" ? { ...programEnv, NODE_COMPILE_CACHE: await temporaryFolder(name) } : programEnv;

/** A folder of the account's own, mode 0700, removed when the test file is through, as is the cluster of `data` in it. */
export async function temporaryFolder(name: "root" | "an ordinary user"): Promise<string> {
  const folder = await mkdtemp("/tmp/beatmarket-test-");
  afterTestFile(() => removeFolder(folder));
  if (isRoot && name !== "root") await chown(folder, nobody.uid, nobody.gid);
  return folder;
}

/** The cluster of a data folder that PostgreSQL's account cannot enter stands elsewhere. */
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
