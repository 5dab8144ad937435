import { chmod, mkdir } from "node:fs/promises";
import { type Cluster, createEmptyCluster, findCluster, stage } from "@beatmarket/postgres/embedded/cluster.ts";
import { prepareDataDir } from "@beatmarket/postgres/embedded/data-dir.ts";
import type { EmbeddedServer } from "@beatmarket/postgres/embedded/open-embedded.ts";
import { chooseAccount } from "@beatmarket/postgres/embedded/postgres/account.ts";
import { type Postmaster, startPostmaster, stopPostmaster } from "@beatmarket/postgres/embedded/postgres/postmaster.ts";
import { findPreviousPackage } from "@beatmarket/postgres/embedded/postgres/programs.ts";
import { acceptsConnections, addressOf } from "@beatmarket/postgres/embedded/readiness.ts";

/** Creates a data folder with an empty database of the previous major version of PostgreSQL. */
export async function makeOldCluster(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  // If this runs as root, PostgreSQL's account must be able to enter the folder.
  await chmod(dataDir, 0o755);
  await prepareDataDir(dataDir);
  const account = await chooseAccount(dataDir, undefined);
  await createEmptyCluster(dataDir, "postgres", await findPreviousPackage(), account, () => {});
}

/** Runs the server of a database of the previous major version, as an earlier release would. */
export async function withOldCluster<Result>(
  dataDir: string,
  use: (embedded: Pick<EmbeddedServer, "dir" | "addressFor">) => Promise<Result>,
): Promise<Result> {
  const dir = (await findCluster(dataDir)) as string;
  const account = await chooseAccount(dataDir, dir);
  const cluster: Cluster = { dir, account, programsDir: await stage(await findPreviousPackage(), dir) };
  const server: Postmaster = await startPostmaster(cluster, () => {});
  try {
    while (!(await acceptsConnections(server)));
    return await use({ dir, addressFor: (role) => addressOf(server, role) });
  } finally {
    await stopPostmaster(server, dir);
  }
}
