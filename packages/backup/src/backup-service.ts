import { fork } from "node:child_process";
import { setPriority } from "node:os";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { repeat, type StopRepeating } from "@beatmarket/foundation/repeat.ts";
import { dataDirLock } from "@beatmarket/postgres/embedded/data-dir.ts";
import type { FileLock } from "@beatmarket/postgres/embedded/file-lock.ts";
import { maxSpooledSegments } from "@beatmarket/postgres/embedded/postgres/archive-command.ts";
import type { PlaceSettings } from "@beatmarket/storage/places.ts";
import type { Logger } from "pino";
import { archivedLogOf, type Backup, newestBackupOf, readBackupList } from "./backup-list.ts";
import { DataDirFiles } from "./data-dir-files.ts";
import { type BackedUpDatabase, type OpenedBackup, openBackup, startArchiving } from "./open-backup.ts";
import { type Vault, VaultUnavailable } from "./vault/vault.ts";
import type { Shipper } from "./wal/shipper.ts";
import { Spool } from "./wal/spool.ts";

/** The values for /metrics; null if unknown. */
export interface BackupState {
  /** When the newest base backup ended. */
  backedUpAt: Date | null;
  /** Everything that was committed before this time is in the vault. */
  archivedUntil: Date | null;
  /** The number of finished segments of the log that are not in the vault yet. */
  spooledSegments: number;
  /** The number of failed attempts to ship, to make a base backup or to prune, since the start of the service. */
  failures: number;
}

export interface BackupServiceParts {
  database: BackedUpDatabase;
  storage: PlaceSettings;
  /** The folder of the transparency log in the storage. */
  logFolder: string;
  vault: Vault;
  dataDir: string;
  clock: Clock;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** The program with the commands `backup create` and `backup prune`. */
  program: { module: string; execArgv: readonly string[] };
}

const shipEveryMs = 5_000;
const backupEveryMs = 86_400_000;
const dueCheckEveryMs = 10_000;
const reviewEveryMs = 3_600_000;
const retryAfterMs = 600_000;
const lastShipMs = 5_000;

/**
 * Backs up the service while it runs: ships the log every few seconds, makes a base backup every day, and prunes the
 * vault.
 */
export class BackupService {
  readonly state: BackupState = { backedUpAt: null, archivedUntil: null, spooledSegments: 0, failures: 0 };
  readonly #parts: BackupServiceParts;
  readonly #files: DataDirFiles;
  readonly #spool: Spool | null;
  #opening: Promise<OpenedBackup> | null = null;
  /** Whether the vault must be read again, because after a failure another vault or an older copy may be there. */
  #isDoubtful = false;
  #backup: OpenedBackup | null = null;
  #stops: StopRepeating[] = [];
  /** The lock that this process holds while it archives the log. */
  #archiver: FileLock | null = null;
  /** The last logged reason why shipping fails; null while it succeeds. */
  #loggedFailure: string | null = null;
  /** The last logged reason why shipping the transparency log fails; null while it succeeds. */
  #loggedLogFault: string | null = null;
  #isSpoolFull = false;
  #isPruneDue = false;
  /** When a base backup or a prune was last tried. Minus infinity permits the next try at once. */
  #triedMs = Number.NEGATIVE_INFINITY;
  #reviewedMs: number;

  constructor(parts: BackupServiceParts) {
    this.#parts = parts;
    this.#reviewedMs = parts.clock.monotonicMs();
    this.#files = new DataDirFiles(parts.vault, parts.dataDir);
    const { embedded } = parts.database;
    this.#spool = embedded === null ? null : new Spool(embedded.dir);
  }

  /**
   * Throws an OperatorError if the vault belongs to another database or has another key. If the vault is unreachable,
   * the service starts and tries again.
   */
  async start(): Promise<void> {
    const { vault, log, database } = this.#parts;
    try {
      await this.#open();
    } catch (error) {
      if (!(error instanceof VaultUnavailable)) throw error;
      this.#note(error);
    }
    if (database.embedded === null)
      log.info(
        `files are backed up to ${vault.place}; the database of DATABASE_URL is not: back it up with its own tools`,
      );
    else log.info(`backing up to ${vault.place}`);
    this.#stops = [
      repeat(
        shipEveryMs,
        (stopping) => this.#ship(stopping).finally(() => this.#countSpooled()),
        (error) => this.#note(error),
      ),
      repeat(
        dueCheckEveryMs,
        (stopping) => this.#backUpWhenDue(stopping),
        (error) => this.#note(error),
      ),
    ];
  }

  /** Copies new objects. Call it before objects are deleted. Throws if the vault or the storage is unreachable. */
  async copyObjects(stopping: AbortSignal): Promise<void> {
    const { copier } = await this.#open();
    await copier.copyRecent(stopping);
  }

  /** Stops the backups, and waits for the end of running work. Call this while the database is open. */
  async stop(): Promise<void> {
    await Promise.all(this.#stops.map((stop) => stop()));
    this.#archiver?.close();
    await this.#backup?.close();
  }

  /** Ships the end of the log, which PostgreSQL completes when it stops. */
  async finish(): Promise<void> {
    await this.#backup?.cluster?.shipper.shipRest(AbortSignal.timeout(lastShipMs)).catch((error) => this.#note(error));
  }

  #open(): Promise<OpenedBackup> {
    this.#opening ??= this.#openOnce().catch((error) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  /** Opens the vault again and looks for gaps of the log. */
  async #reopen(): Promise<void> {
    const before = this.#backup;
    const backup = await this.#openOnce();
    this.#opening = Promise.resolve(backup);
    this.#isDoubtful = false;
    await before?.close();
    if (backup.cluster?.shipper.isBroken !== true) return;
    this.#parts.log.error("the archived log has a gap or began a new timeline; making a new base backup");
    this.#triedMs = Number.NEGATIVE_INFINITY;
  }

  async #openOnce(): Promise<OpenedBackup> {
    const { database, storage, logFolder, vault, log } = this.#parts;
    const reported = new Set<string>();
    const onFault = (sha256: string, why: string) => {
      // Reported only once, since the copy is retried every few seconds.
      if (reported.has(sha256)) return;
      reported.add(sha256);
      log.error({ sha256 }, `a file cannot be backed up: ${why} \`beatmarket storage verify\` says what it belongs to`);
    };
    const backup = await openBackup({ database, storage, logFolder, vault, onFault });
    if (backup.hasNewKey)
      log.info(`the vault is sealed under the new BACKUP_KEY; BACKUP_KEY_PREVIOUS can be removed on all servers`);
    if (backup.cluster !== null) {
      // The lock tells commands that use another vault that they must not take segments.
      this.#archiver ??= dataDirLock(this.#parts.dataDir, "archiver");
      this.#archiver.tryExclusive();
      await startArchiving(backup.cluster, vault);
    }
    if (backup.newest !== null) this.state.backedUpAt = new Date(backup.newest.ended_at);
    this.#backup = backup;
    return backup;
  }

  async #ship(stopping: AbortSignal): Promise<void> {
    if (this.#isDoubtful) await this.#reopen();
    const { copier, cluster, transparencyLog } = await this.#open();
    await this.#files.ship();
    if (cluster === null) await copier.copyRecent(stopping);
    else await this.#shipLog(cluster.shipper, stopping);
    this.#noteLogFault(await transparencyLog.ship());
    if (this.#loggedFailure === null) return;
    this.#parts.log.info("backups continue: the waiting files are in the vault");
    this.#loggedFailure = null;
    this.#triedMs = Number.NEGATIVE_INFINITY;
  }

  async #shipLog(shipper: Shipper, stopping: AbortSignal): Promise<void> {
    const wasBroken = shipper.isBroken;
    try {
      await shipper.ship(stopping);
    } finally {
      this.state.archivedUntil = shipper.until;
    }
    if (!shipper.isBroken || wasBroken) return;
    this.#parts.log.error("the archived log has a gap or began a new timeline; making a new base backup");
    this.#triedMs = Number.NEGATIVE_INFINITY;
  }

  #noteLogFault(fault: string | null): void {
    if (fault !== null) this.state.failures++;
    if (fault !== null && fault !== this.#loggedLogFault)
      this.#parts.log.error(`the transparency log is not backed up: ${fault}`);
    this.#loggedLogFault = fault;
  }

  async #countSpooled(): Promise<void> {
    const count = (await this.#spool?.list())?.length ?? 0;
    this.state.spooledSegments = count;
    const isFull = count >= maxSpooledSegments;
    if (isFull && !this.#isSpoolFull)
      this.#parts.log.error(
        `${count} segments of the log wait for the vault, and further ones are dropped. Later moments cannot be restored until the vault is reachable again and a new base backup is made`,
      );
    this.#isSpoolFull = isFull;
  }

  /** Once a day, and after a gap in the log, makes a base backup and prunes the vault, each in a separate process. */
  async #backUpWhenDue(stopping: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const { cluster } = await this.#open();
    if (clock.monotonicMs() - this.#reviewedMs >= reviewEveryMs) await this.#review();
    const isDue = () => {
      const age = clock.nowMs() - (this.state.backedUpAt?.getTime() ?? Number.NEGATIVE_INFINITY);
      return age >= backupEveryMs || cluster?.shipper.isBroken === true;
    };
    if (!isDue() && !this.#isPruneDue) return;
    if (clock.monotonicMs() - this.#triedMs < retryAfterMs) return;
    this.#triedMs = clock.monotonicMs();
    // A command may have made a backup since the last check.
    if (isDue()) this.#noteNewest(await this.#readNewest());
    if (isDue()) await this.#backUp(stopping);
    if (!this.#isPruneDue) return; // A command has made the backup, or the service is stopping.
    await this.#run(["backup", "prune"], stopping);
    this.#isPruneDue = false;
  }

  /** Checks whether the vault still has the archived log. */
  async #review(): Promise<void> {
    const { cluster } = await this.#open();
    if (cluster === null) return;
    cluster.shipper.review(archivedLogOf(await readBackupList(this.#parts.vault), cluster.identifier));
    this.#reviewedMs = this.#parts.clock.monotonicMs();
  }

  async #backUp(stopping: AbortSignal): Promise<void> {
    await this.#run(["backup", "create"], stopping);
    const newest = await this.#readNewest();
    if (newest === undefined || stopping.aborted) return;
    this.#noteNewest(newest);
    this.#isPruneDue = true;
    this.#parts.log.info({ backup: newest.id }, "made a base backup");
    if (newest.database !== null) await (await this.#open()).cluster?.shipper.closeGap(newest.database.last_segment);
  }

  /** Reads this cluster's newest base backup from the vault. */
  async #readNewest(): Promise<Backup | undefined> {
    const { cluster } = await this.#open();
    const backupList = await readBackupList(this.#parts.vault);
    return cluster === null ? backupList.backups.at(-1) : newestBackupOf(backupList, cluster.identifier);
  }

  #noteNewest(newest: Backup | undefined): void {
    if (newest !== undefined) this.state.backedUpAt = new Date(newest.ended_at);
  }

  /** Runs a command at lower priority than the service. Rejects with its error output. */
  #run(args: readonly string[], stopping: AbortSignal): Promise<void> {
    const { program } = this.#parts;
    return new Promise((resolve, reject) => {
      const child = fork(program.module, [...args, "--json"], {
        execArgv: [...program.execArgv],
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
      if (child.pid !== undefined) setPriority(child.pid, 10);
      let stderr = "";
      child.stderr?.on("data", (data) => {
        stderr += data;
      });
      const end = () => void child.kill("SIGTERM");
      stopping.addEventListener("abort", end, { once: true });
      child.once("error", reject);
      child.once("exit", (code, signal) => {
        stopping.removeEventListener("abort", end);
        if (code === 0 || stopping.aborted) resolve();
        else reject(new CommandFailed(`${args.join(" ")} ended with ${signal ?? code}: ${stderr.trim()}`));
      });
    });
  }

  #note(error: unknown): void {
    this.state.failures++;
    if (this.#backup !== null && !(error instanceof CommandFailed)) this.#isDoubtful = true;
    const { log, vault } = this.#parts;
    const { message } = error as Error;
    if (error instanceof CommandFailed) {
      // The reason why shipping fails has already been logged.
      if (this.#loggedFailure === null) log.error(`${message} Trying again in ${retryAfterMs / 60_000} minutes.`);
      return;
    }
    if (message === this.#loggedFailure) return;
    this.#loggedFailure = message;
    if (error instanceof VaultUnavailable) log.error(`backups wait: ${message} Trying again every few seconds.`);
    else log.error({ err: error }, `backing up to ${vault.place} failed; trying again every few seconds`);
  }
}

class CommandFailed extends Error {}
