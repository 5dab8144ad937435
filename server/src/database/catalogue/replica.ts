import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { OperatorError } from "../../errors.ts";
import { answerWithin } from "../connection/answer-within.ts";
import { connect, type Database, type ReadServer } from "../connection/connect.ts";
import type { CatalogueVersion } from "./catalogue-version.ts";

export interface ReplicaParts {
  url: string;
  primary: Database;
  version: CatalogueVersion;
  log: Pick<Logger, "info" | "warn">;
}

/** What the primary has written, as of now. */
interface Written {
  cluster: string;
  database: number;
  timeline: string;
  position: string;
}

/** What the replica says of itself, and how much of what was written it has yet to replay. */
interface Standing {
  isStandby: boolean;
  cluster: string;
  database: number | null;
  isReceiving: boolean;
  /** Null for a user who may not see it. */
  timeline: string | null;
  behindBytes: number;
}

/** Why the replica is not read. `isMistake`: as configured it never could be. */
interface Problem {
  text: string;
  isMistake: boolean;
}

const checkEveryMs = 250;
/** Changes that come together are one check. */
const gatherMs = 5;
const answerWithinMs = 1_000;
/** Being behind is normal for the moment after a write. */
const maxBehindMs = 1_000;
const statementTimeoutMs = 10_000;

/**
 * A streaming replica, which is read while it has replayed every change of the catalogue that this process knows of.
 * A change is in the primary's log before anybody is told of it, so one that was told of is replayed once the replica
 * has come to where the primary was thereafter. A replica that is dead, behind, promoted or of another cluster is left
 * out, and taken on again by itself.
 */
export class Replica {
  readonly #parts: ReplicaParts;
  readonly #closing = new AbortController();
  #link: Database | null = null;
  #written: Written | null = null;
  /** The version of the catalogue that the replica is known to have; none yet. */
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

  /** Throws an OperatorError when the URL names something that is no replica of the primary; one that is away is not. */
  async start(): Promise<void> {
    const problem = await this.#check();
    if (problem?.isMistake) {
      await this.close();
      throw new OperatorError(`DATABASE_REPLICA_URL cannot be used: ${problem.text}.`);
    }
    this.#judge(problem);
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#endPause();
    await this.#running;
    await this.#disconnect();
  }

  /** The replica, if it has all that is known of now; null: read the primary. */
  current(): ReadServer | null {
    if (this.#problem === null && this.#version === this.#parts.version.current) return this.#link;
    if (this.#isWakeable) this.#endPause();
    return null;
  }

  /** Whether it is left out, other than for the moment after a write. */
  get isLeftOut(): boolean {
    return this.#problem !== null;
  }

  /** Of what the primary had written when the last change became known. */
  get behindBytes(): number {
    return this.#behindBytes;
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#pause();
      if (!this.#closing.signal.aborted) this.#judge(await this.#check());
    }
  }

  /** Until the next check is due, or a read wants it sooner. */
  async #pause(): Promise<void> {
    const { signal } = this.#closing;
    await sleep(gatherMs, undefined, { signal }).catch(() => {});
    const isCatchingUp = this.#behindSinceMs !== null && this.#problem === null;
    if (isCatchingUp || signal.aborted) return;
    const paused = Promise.withResolvers<void>();
    this.#endPause = paused.resolve;
    // Looking more often finds nothing where the replica is away, or where changes are not told.
    this.#isWakeable = this.#problem === null && this.#parts.version.isFollowed;
    const timer = setTimeout(paused.resolve, checkEveryMs);
    await paused.promise;
    clearTimeout(timer);
    this.#isWakeable = false;
  }

  async #check(): Promise<Problem | null> {
    const version = this.#parts.version.current;
    if (version !== this.#version) {
      try {
        this.#written = await answerWithin(answerWithinMs, readWritten(this.#parts.primary), "the primary is silent");
      } catch {
        // Without the primary nothing works, and nothing is known of the replica: it stays as it was.
        return this.#problem === null ? null : { text: this.#problem, isMistake: false };
      }
    }
    const written = this.#written;
    if (written === null) return null;
    try {
      this.#link ??= connect({ url: this.#parts.url }, { applicationName: "beatmarket reads", statementTimeoutMs });
      const asked = readStanding(this.#link, written);
      const standing = await answerWithin(answerWithinMs, asked, `it does not answer within ${answerWithinMs} ms`);
      const problem = problemOf(standing, written);
      this.#behindBytes = standing.behindBytes;
      if (problem !== null) return problem;
      if (standing.behindBytes === 0) {
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

  #judge(problem: Problem | null): void {
    const { log } = this.#parts;
    const text = problem?.text ?? null;
    if (text === this.#problem) return;
    this.#problem = text;
    if (text === null) log.info("the replica is read again");
    else log.warn(`the replica is left out, and the primary read instead: ${text}`);
  }

  /** Ends what is waiting for an answer, so that it is asked of the primary. */
  async #disconnect(): Promise<void> {
    const link = this.#link;
    this.#link = null;
    this.#version = Number.NaN;
    this.#behindSinceMs = null;
    await Promise.all([link?.driver.end({ timeout: 0 }), link?.reader.end({ timeout: 0 })]);
  }
}

/** By the cluster's own number and the database's, whatever the names that lead to them. */
const identity = `
  (select system_identifier::text from pg_control_system()) as cluster,
  (select oid::bigint from pg_database where datname = current_database()) as database`;

async function readWritten({ reader }: Database): Promise<Written> {
  const [row] = await reader.unsafe<Written[]>(
    `select ${identity}, pg_current_wal_insert_lsn()::text as position,
            left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline`,
    [],
    { prepare: true },
  );
  if (row === undefined) throw new Error("The primary answered nothing.");
  return row;
}

async function readStanding({ reader }: Database, { position }: Written): Promise<Standing> {
  const [row] = await reader.unsafe<Standing[]>(
    `select ${identity}, pg_is_in_recovery() as "isStandby",
            exists (select from pg_stat_wal_receiver) as "isReceiving",
            (select lpad(to_hex(received_tli), 8, '0') from pg_stat_wal_receiver) as timeline,
            greatest($1::pg_lsn - coalesce(pg_last_wal_replay_lsn(), '0/0'), 0)::float8 as "behindBytes"`,
    [position],
    { prepare: true },
  );
  if (row === undefined) throw new Error("The replica answered nothing.");
  return row;
}

function problemOf(standing: Standing, written: Written): Problem | null {
  const mistake = (text: string): Problem => ({ text, isMistake: true });
  if (standing.cluster !== written.cluster) return mistake("it belongs to another cluster than DATABASE_URL");
  if (standing.database !== written.database) return mistake("it names another database than DATABASE_URL");
  if (!standing.isStandby) return mistake("it is a primary, not a standby that streams from DATABASE_URL");
  if (!standing.isReceiving) return { text: "it receives nothing from the primary", isMistake: false };
  if (standing.timeline !== null && standing.timeline.toUpperCase() !== written.timeline)
    return { text: "it follows another primary than DATABASE_URL", isMistake: false };
  return null;
}

/** Wrong users, passwords and database names. */
const mistakenCodes = ["28P01", "28000", "3D000"];

function problemOfConnecting(error: unknown): Problem {
  const { code, message } = error as { code?: string; message: string };
  // Without the driver's "write CONNECT_TIMEOUT host:port" and the like, which change from try to try.
  return { text: message.replace(/^write /, ""), isMistake: mistakenCodes.includes(code ?? "") };
}
