import { spawnSync } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/** The account that runs PostgreSQL, which refuses to run as root. Undefined: the account of this process. */
export type Account = { uid: number; gid: number } | undefined;

/**
 * Chooses the account that runs a cluster. If this process does not run as root: its own account. Otherwise the first
 * of: the owner of the cluster, the owner of the data folder if that is not root, `postgres`, `nobody`, user 65534.
 * Throws an OperatorError if the cluster belongs to root.
 */
export async function chooseAccount(dataDir: string, clusterDir: string | undefined): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  if (clusterDir !== undefined) {
    const { uid, gid } = await stat(clusterDir);
    if (uid === 0)
      throw new OperatorError(
        `${clusterDir} belongs to root, and PostgreSQL refuses to run as root. Give it to another account: chown -R postgres ${clusterDir}`,
      );
    return { uid, gid };
  }
  const owner = await stat(dataDir);
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = await readFile("/etc/passwd", "utf8").catch(() => "");
  return accountNamed("postgres", accounts) ?? accountNamed("nobody", accounts) ?? { uid: 65534, gid: 65534 };
}

/** Finds an account by its name in the text of /etc/passwd. Here undefined means that there is no such account. */
export function accountNamed(name: string, passwd: string): Account {
  const fields = passwd
    .split("\n")
    .find((line) => line.startsWith(`${name}:`))
    ?.split(":");
  const uid = Number(fields?.[2]);
  const gid = Number(fields?.[3]);
  // A 32-bit id may be written as negative (macOS: nobody is -2).
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid: uid >>> 0, gid: gid >>> 0 } : undefined;
}

/** Whether the account may enter a folder and all its parents. Tries it instead of interpreting the mode bits. */
export function canEnter(account: Account, dir: string): boolean {
  return spawnSync("/bin/sh", ["-c", 'test -x "$0"', dir], { ...account, cwd: "/", stdio: "ignore" }).status === 0;
}

/**
 * The environment of PostgreSQL's programs. It has no variables of this process, such as PG… settings and library
 * paths.
 */
export const cleanEnv = (home: string): NodeJS.ProcessEnv => ({ PATH: "/usr/bin:/bin", HOME: home, TZ: "UTC" });
