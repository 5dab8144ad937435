import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { DatabaseAddress } from "../connection/address.ts";
import { addressOf, admits, type Role } from "./admission.ts";
import { type Cluster, openCluster, readSystemIdentifier, removeOldPrograms } from "./cluster.ts";
import { dataDirLock, prepareDataDir } from "./data-dir.ts";
import type { FileLock } from "./file-lock.ts";
import {
  findPostmaster,
  isRunning,
  type Postmaster,
  startPostmaster,
  startTimeoutMs,
  stopPostmaster,
} from "./postgres/postmaster.ts";
import { findPackage } from "./postgres/programs.ts";
import { revive } from "./revive.ts";

/** The embedded server in use by this process. */
export interface EmbeddedServer {
  /** The folder of its data: a real path. */
  readonly dir: string;
  /** Its socket. The service role serves, the owner migrates, the superuser makes databases and roles. */
  addressFor(role: Role): DatabaseAddress;
  /** Ends its use by this process. The last process stops the server. */
  close(): Promise<void>;
}

/** Another process may be waiting for a server that replays its log. */
const openTimeoutMs = startTimeoutMs + 60_000;
const closeTimeoutMs = 60_000;
const admitTimeoutMs = 30_000;
const pollMs = 25;

/**
 * Opens the embedded server of a data folder, making and starting it as needed. All processes of one data folder
 * share one server: the first starts it, the last stops it, and one whose users were all killed is adopted by the next.
 * A server that ends by itself is started again in the same place. `log` gets a line for each thing that takes a while.
 * Throws an OperatorError that names the folder and what to do.
 *
 * Two locks order that: `cluster`, held by one while it starts or stops the server, and `openers`, held together by
 * all who use it.
 */
export async function openEmbedded(dataDir: string, log: (text: string) => void): Promise<EmbeddedServer> {
  const folder = resolve(dataDir);
  await prepareDataDir(folder);
  const source = await findPackage();
  const turn = dataDirLock(folder, "cluster");
  const openers = dataDirLock(folder, "openers");
  const closeLocks = () => {
    openers.close();
    turn.close();
  };

  let cluster: Cluster | undefined;
  try {
    const gotTurn = await turn.exclusive(openTimeoutMs, () => log("Waiting for another process of this data folder."));
    if (!gotTurn || !openers.tryShared())
      throw new OperatorError(`Another process has been starting the database of DATA_DIR ${folder} for too long.`);
    cluster = await openCluster(folder, source, log);
    const opened = { ...cluster, identifier: await readSystemIdentifier(cluster.dir) };
    let postmaster = await takeOn(cluster, log);
    turn.release();

    const stopReviving = revive({
      isRunning: () => isRunning(postmaster),
      start: async () => {
        if ((await readSystemIdentifier(opened.dir)) !== opened.identifier) return false;
        if (!(await turn.exclusive(openTimeoutMs))) throw new OperatorError("Another process is at it for too long.");
        try {
          postmaster = await takeOn(opened, log, postmaster);
          return true;
        } finally {
          turn.release();
        }
      },
      log,
    });
    const close = async () => {
      await stopReviving();
      if (await isLast(turn, openers)) await stop(opened, postmaster);
      closeLocks();
    };
    let closed: Promise<void> | undefined;
    return {
      dir: opened.dir,
      addressFor: (role) => addressOf(postmaster, role),
      close: () => {
        closed ??= close();
        return closed;
      },
    };
  } catch (error) {
    openers.release();
    const started = cluster && openers.tryExclusive() ? await findPostmaster(cluster.dir) : undefined;
    if (cluster && started) await stopPostmaster(started, cluster.dir).catch(() => {});
    closeLocks();
    throw error;
  }
}

/** Releases the `openers` lock. True when nobody uses the server any more; this process then holds `cluster`. */
async function isLast(turn: FileLock, openers: FileLock): Promise<boolean> {
  try {
    const gotTurn = await turn.exclusive(closeTimeoutMs);
    openers.release();
    // Another process holds `cluster` and does the rest.
    return gotTurn && openers.tryExclusive();
  } catch {
    return true; // The locks were removed with the folder, which leaves the server nothing to serve.
  }
}

/** Returns a server that takes connections: the running one, or a new one. */
async function takeOn(cluster: Cluster, log: (text: string) => void, previous?: Postmaster): Promise<Postmaster> {
  const startMs = performance.now();
  while (true) {
    let postmaster = await findPostmaster(cluster.dir);
    if (postmaster === undefined) {
      await removeOldPrograms(cluster);
      postmaster = await startPostmaster(cluster, log, { previous });
    }
    if (postmaster.ready && (await admits(postmaster))) return postmaster;
    // One that a killed process left starting or stopping gets ready, or goes away.
    if (performance.now() - startMs > (postmaster.ready ? admitTimeoutMs : startTimeoutMs))
      throw new OperatorError(
        `PostgreSQL runs on ${cluster.dir} (process ${postmaster.pid}) but admits nobody. Stop that process, then start again.`,
      );
    await sleep(pollMs);
  }
}

async function stop(cluster: Cluster & { identifier: bigint | undefined }, opened: Postmaster): Promise<void> {
  // The server may have been started anew since, or the folder replaced, with a server in it that is not ours.
  const isSameCluster = (await readSystemIdentifier(cluster.dir)) === cluster.identifier;
  const postmaster = isSameCluster ? await findPostmaster(cluster.dir) : opened;
  if (postmaster !== undefined) await stopPostmaster(postmaster, cluster.dir, !isSameCluster);
}
