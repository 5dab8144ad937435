import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { DatabaseAddress } from "../connection/address.ts";

import { type Cluster, openCluster, readSystemIdentifier, removeOldPrograms } from "./cluster.ts";
import { dataDirLock, prepareDataDir } from "./data-dir.ts";
import type { FileLock } from "./file-lock.ts";
import {
  findPostmaster,
  isRunning,
  type Postmaster,
  type StartOptions,
  startPostmaster,
  startTimeoutMs,
  stopPostmaster,
} from "./postgres/postmaster.ts";
import { findPackage } from "./postgres/programs.ts";
import { acceptsConnections, addressOf, type Role } from "./readiness.ts";
import { revive } from "./revive.ts";

/** The embedded server, opened by this process. */
export interface EmbeddedServer {
  /** The real path of the cluster. */
  readonly dir: string;
  /** The address for a role. The service role serves, the owner migrates, the superuser creates databases and roles. */
  addressFor(role: Role): DatabaseAddress;
  /** Releases the server. The last process to release the server stops it. */
  close(): Promise<void>;
}

/** Long, since the process that has the lock may be waiting for a server that replays its log. */
const openTimeoutMs = startTimeoutMs + 60_000;
const closeTimeoutMs = 60_000;
const acceptTimeoutMs = 30_000;
const pollMs = 25;

/**
 * Opens the embedded server of a data folder; creates and starts it if necessary. All processes of a data folder share
 * one server: the first process starts it, the last stops it. If all its processes were killed, the next process adopts
 * the running server. A server that stops unexpectedly is started again on the same socket. `log` gets a line for each
 * step that takes a while. If this process starts the server, `onLaunch` is called before the server is ready. Throws
 * an OperatorError that names the folder and the remedy.
 *
 * Two locks coordinate the processes. A process holds `cluster` exclusively while it starts or stops the server. All
 * processes that use the server hold `openers` shared.
 */
export async function openEmbedded(
  dataDir: string,
  log: (text: string) => void,
  { onLaunch }: Pick<StartOptions, "onLaunch"> = {},
): Promise<EmbeddedServer> {
  const folder = resolve(dataDir);
  await prepareDataDir(folder);
  const source = await findPackage();
  const clusterLock = dataDirLock(folder, "cluster");
  const openersLock = dataDirLock(folder, "openers");
  const closeLocks = () => {
    openersLock.close();
    clusterLock.close();
  };

  let cluster: Cluster | undefined;
  try {
    const isLocked = await clusterLock.exclusive(openTimeoutMs, () =>
      log("Waiting for another process of this data folder."),
    );
    if (!isLocked || !openersLock.tryShared())
      throw new OperatorError(`Another process has been starting the database of DATA_DIR ${folder} for too long.`);
    cluster = await openCluster(folder, source, log);
    const openedCluster = { ...cluster, identifier: await readSystemIdentifier(cluster.dir) };
    let postmaster = await startOrAdopt(cluster, log, { onLaunch });
    clusterLock.release();

    const stopReviving = revive({
      isRunning: () => isRunning(postmaster),
      start: async () => {
        if ((await readSystemIdentifier(openedCluster.dir)) !== openedCluster.identifier) return false;
        if (!(await clusterLock.exclusive(openTimeoutMs)))
          throw new OperatorError("Another process has been starting PostgreSQL for too long.");
        try {
          postmaster = await startOrAdopt(openedCluster, log, { previous: postmaster });
          return true;
        } finally {
          clusterLock.release();
        }
      },
      log,
    });
    const close = async () => {
      await stopReviving();
      if (await releaseAsLast(clusterLock, openersLock)) await stop(openedCluster, postmaster);
      closeLocks();
    };
    let closing: Promise<void> | undefined;
    return {
      dir: openedCluster.dir,
      addressFor: (role) => addressOf(postmaster, role),
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    openersLock.release();
    const unused = cluster && openersLock.tryExclusive() ? await findPostmaster(cluster.dir) : undefined;
    if (cluster && unused) await stopPostmaster(unused, cluster.dir).catch(() => {});
    closeLocks();
    throw error;
  }
}

/** Releases the `openers` lock. Returns true if no other process uses the server; this process then holds `cluster`. */
async function releaseAsLast(clusterLock: FileLock, openersLock: FileLock): Promise<boolean> {
  try {
    const isLocked = await clusterLock.exclusive(closeTimeoutMs);
    openersLock.release();
    // Otherwise another process holds `cluster`, and stops the server if necessary.
    return isLocked && openersLock.tryExclusive();
  } catch {
    return true; // The data folder was removed with its locks, and with it the server's data.
  }
}

/** Returns a server that accepts connections: the running one, or a new one. */
async function startOrAdopt(
  cluster: Cluster,
  log: (text: string) => void,
  options: Pick<StartOptions, "previous" | "onLaunch">,
): Promise<Postmaster> {
  const startMs = performance.now();
  while (true) {
    let postmaster = await findPostmaster(cluster.dir);
    if (postmaster === undefined) {
      await removeOldPrograms(cluster);
      postmaster = await startPostmaster(cluster, log, options);
    }
    if (postmaster.ready && (await acceptsConnections(postmaster))) return postmaster;
    // A server that a killed process was starting or stopping becomes ready, or ends.
    if (performance.now() - startMs > (postmaster.ready ? acceptTimeoutMs : startTimeoutMs))
      throw new OperatorError(
        `PostgreSQL runs on ${cluster.dir} (process ${postmaster.pid}) but accepts no connections. Stop that process, then start again.`,
      );
    await sleep(pollMs);
  }
}

async function stop(cluster: Cluster & { identifier: bigint | undefined }, openedServer: Postmaster): Promise<void> {
  // The server may have been restarted since it was opened, or the folder may have been replaced by one with another
  // server.
  const isSameCluster = (await readSystemIdentifier(cluster.dir)) === cluster.identifier;
  const postmaster = isSameCluster ? await findPostmaster(cluster.dir) : openedServer;
  if (postmaster !== undefined) await stopPostmaster(postmaster, cluster.dir, { isOrphan: !isSameCluster });
}
