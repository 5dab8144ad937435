import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { Logger } from "pino";
import { type ConnectOptions, connect, type Database, type ReadServer } from "./connect.ts";

/** A number that changes with every change of what the program reads. */
interface ContentVersion {
  readonly current: number;
  /** False while notices of changes may be lost. */
  readonly isFollowed: boolean;
}

export interface ReplicaParts {
  url: string;
  /** The name of the sessions on the replica. */
  session: Pick<ConnectOptions, "applicationName" | "lastMigration">;
  primary: Database;
  version: ContentVersion;
  log: Pick<Logger, "info" | "warn">;
}

/** The state of the primary's write-ahead log. */
interface PrimaryLog {
  cluster: string;
  database: number;
  timeline: string;
  position: string;
}

/** The state of the replica, and how much of the primary's log it has yet to replay. */
interface ReplicaState {
  isStandby: boolean;
  cluster: string;
  database: number | null;
  isReceiving: boolean;
  /** Null if the role may not read it. */
  timeline: string | null;
  behindBytes: number;
}

/** The reason why the replica is not read. `isMistake`: it can never be read with these settings. */
interface Problem {
  text: string;
  isMistake: boolean;
}

const checkEveryMs = 250;
/** Changes within this time share one check. */
const gatherMs = 5;
const checkTimeoutMs = 1_000;
/** After a write, a replica is normally late for a moment. */
const maxBehindMs = 1_000;
const statementTimeoutMs = 10_000;

/**
 * A streaming replica. It is read only if it has replayed every change that this process knows. A change is in the
 * primary's write-ahead log before the notice of the change is sent. So the replica has the change when it has reached
 * the position that the primary had after the notice. A replica is not read while it is unreachable, late, promoted or
 * of another cluster.
 */
export class Replica {
  readonly #parts: ReplicaParts;
  readonly #closing = new AbortController();
  #link: Database | null = null;
  #primaryLog: PrimaryLog | null = null;
  /** The content version that the replica certainly has; NaN if it is unknown. */
  #version = Number.NaN;
  #behindBytes = 0;
  #behindSinceMs: number | null = null;
  #problem: string | null = null;
  #endPause: () => void = () => {};
  #isWakeable = false;
  #running: Promise<void> | null = null;

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
  }

  /**
   * Throws an OperatorError if the URL names a server that is not a replica of the primary, or a user, password or
   * database that the server refuses. Accepts an unreachable server.
   */
  async start(): Promise<void> {
    const problem = await this.#check();
    if (problem?.isMistake) {
      await this.close();
      throw new OperatorError(`DATABASE_REPLICA_URL cannot be used: ${problem.text}.`);
    }
    this.#report(problem);
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#endPause();
    await this.#running;
    await this.#disconnect();
  }

  /** The replica if it has every known change; null if the primary must be read. */
  current(): ReadServer | null {
    if (this.#problem === null && this.#version === this.#parts.version.current) return this.#link;
    if (this.#isWakeable) this.#endPause();
    return null;
  }

  /** Whether the replica has a problem and is not read. A delay directly after a write does not count. */
  get isLeftOut(): boolean {
    return this.#problem !== null;
  }

  /** The bytes of the write-ahead log that the replica had not replayed at the last check. */
  get behindBytes(): number {
    return this.#behindBytes;
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#pause();
      if (!this.#closing.signal.aborted) this.#report(await this.#check());
    }
  }

  /** Waits until the next check is due, or until a read asks for a check. */
  async #pause(): Promise<void> {
    const { signal } = this.#closing;
    await sleep(gatherMs, undefined, { signal }).catch(() => {});
    const isCatchingUp = this.#behindSinceMs !== null && this.#problem === null;
    if (isCatchingUp || signal.aborted) return;
    const pause = new AbortController();
    this.#endPause = () => pause.abort();
    // More checks are useless while the replica is unreachable or notices of changes are lost.
    this.#isWakeable = this.#problem === null && this.#parts.version.isFollowed;
    await sleep(checkEveryMs, undefined, { signal: pause.signal }).catch(() => {});
    this.#isWakeable = false;
  }

  async #check(): Promise<Problem | null> {
    const version = this.#parts.version.current;
    if (version !== this.#version) {
      try {
        this.#primaryLog = await withTimeout(
          readPrimaryLog(this.#parts.primary),
          checkTimeoutMs,
          () => new Error("the primary does not respond"),
        );
      } catch {
        // Without the primary, the state of the replica cannot be determined, so it stays unchanged.
        return this.#problem === null ? null : { text: this.#problem, isMistake: false };
      }
    }
    const primaryLog = this.#primaryLog;
    if (primaryLog === null) return null;
    try {
      this.#link ??= connect({ url: this.#parts.url }, { ...this.#parts.session, statementTimeoutMs });
      const replicaState = await withTimeout(
        readReplicaState(this.#link, primaryLog),
        checkTimeoutMs,
        () => new Error(`it does not answer within ${checkTimeoutMs} ms`),
      );
      const problem = problemOf(replicaState, primaryLog);
      this.#behindBytes = replicaState.behindBytes;
      if (problem !== null) return problem;
      if (replicaState.behindBytes === 0) {
        this.#version = version;
        this.#behindSinceMs = null;
        return null;
      }
    } catch (error) {
      await this.#disconnect();
      return problemOfConnecting(error);
    }
    this.#behindSinceMs ??= performance.now();
    const isLong = performance.now() - this.#behindSinceMs > maxBehindMs;
    return isLong ? { text: `it is more than ${maxBehindMs} ms behind the primary`, isMistake: false } : null;
  }

  #report(problem: Problem | null): void {
    const { log } = this.#parts;
    const text = problem?.text ?? null;
    if (text === this.#problem) return;
    this.#problem = text;
    if (text === null) log.info("the replica is read again");
    else log.warn(`the replica is left out, and the primary read instead: ${text}`);
  }

  /** Rejects running reads on the replica, so that they are repeated on the primary. */
  async #disconnect(): Promise<void> {
    const link = this.#link;
    this.#link = null;
    this.#version = Number.NaN;
    this.#behindSinceMs = null;
    await link?.close(0);
  }
}

/**
 * The identifiers of the cluster and the database. They are compared instead of addresses, since several addresses may
 * lead to one server.
 */
const identity = `
  (select system_identifier::text from pg_control_system()) as cluster,
  (select oid::bigint from pg_database where datname = current_database()) as database`;

async function readPrimaryLog({ reader }: Database): Promise<PrimaryLog> {
  const [row] = await reader.query<PrimaryLog>(
    `select ${identity}, pg_current_wal_insert_lsn()::text as position,
            left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline`,
    [],
  );
  if (row === undefined) throw new Error("The primary returned no row.");
  return row;
}

async function readReplicaState({ reader }: Database, { position }: PrimaryLog): Promise<ReplicaState> {
  const [row] = await reader.query<ReplicaState>(
    `select ${identity}, pg_is_in_recovery() as "isStandby",
            exists (select from pg_stat_wal_receiver) as "isReceiving",
            (select lpad(to_hex(received_tli), 8, '0') from pg_stat_wal_receiver) as timeline,
            greatest($1::pg_lsn - coalesce(pg_last_wal_replay_lsn(), '0/0'), 0)::float8 as "behindBytes"`,
    [position],
  );
  if (row === undefined) throw new Error("The replica returned no row.");
  return row;
}

function problemOf(replicaState: ReplicaState, primaryLog: PrimaryLog): Problem | null {
  const mistake = (text: string): Problem => ({ text, isMistake: true });
  if (replicaState.cluster !== primaryLog.cluster) return mistake("it belongs to another cluster than DATABASE_URL");
  if (replicaState.database !== primaryLog.database) return mistake("it names another database than DATABASE_URL");
  if (!replicaState.isStandby) return mistake("it is a primary, not a standby that streams from DATABASE_URL");
  if (!replicaState.isReceiving) return { text: "it receives nothing from the primary", isMistake: false };
  if (replicaState.timeline !== null && replicaState.timeline.toUpperCase() !== primaryLog.timeline)
    return { text: "it follows another primary than DATABASE_URL", isMistake: false };
  return null;
}

/** The codes of errors for wrong users, passwords and database names. */
const mistakenCodes = ["28P01", "28000", "3D000"];

function problemOfConnecting(error: unknown): Problem {
  const { code, message } = error as { code?: string; message: string };
  return { text: message, isMistake: mistakenCodes.includes(code ?? "") };
}
