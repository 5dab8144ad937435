import { spawn } from "node:child_process";
import { join } from "node:path";
import { type Account, cleanEnv } from "./account.ts";
import { clusterFailure } from "./failure.ts";

/** The superuser of the embedded server. Needs no password: the server has only a socket in a private folder. */
export const superuser = "beatmarket";

// pg_trgm uses the character classes of the C library, so this must be a UTF-8 locale of the system.
const ctype = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";

/**
 * Creates a cluster in an empty folder of the account. Throws an OperatorError with the last lines of initdb's output.
 */
export async function initialize(dir: string, account: Account, programsDir: string): Promise<void> {
  const args = [
    `--pgdata=${dir}`,
    `--username=${superuser}`,
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    `--locale=${ctype}`,
    "--auth-local=trust",
    "--auth-host=reject",
  ];
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let output = "";
  const child = spawn(join(programsDir, "bin/initdb"), args, { ...account, cwd: "/", env: cleanEnv(dir) });
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    output += data;
  });
  child.on("error", (error) => resolve(error.message));
  child.on("close", (code) => resolve(code === 0 ? undefined : output));
  const failure = await promise;
  if (failure !== undefined) throw clusterFailure(`The database in ${dir} cannot be created`, failure);
}
