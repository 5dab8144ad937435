import { fork } from "node:child_process";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Form } from "@beatmarket/http/negotiation/forms.ts";
import { makeInDataFolder } from "@beatmarket/postgres/embedded/data-folder.ts";
import type { Logger } from "pino";
import type { Database } from "../../database/connect.ts";
import { hasTakedownSince, newestPosition } from "../changes/queries.ts";
import { deleteUnfinishedTakes, draftSuffix, Export, fingerprintOf, parseFileName, tagOf } from "./export.ts";
import type { Failure, Load } from "./make-export.main.ts";
import type { MakeJob, Progress } from "./make-export.ts";

/** A process that writes nothing for this time is killed. */
const stallTimeoutMs = 120_000;
const loadIntervalMs = 200;
const preload = new URL("../../../../scripts/node/preload.mjs", import.meta.url).href;
const nodeOptions = ["--max-old-space-size=128", "--max-semi-space-size=8", "--import", preload];

/** An export that a process of its own is writing. */
interface RunningExport {
  /** Resolves with the export when its first bytes are written; rejects if it fails before. */
  started: Promise<Export>;
  /** Resolves when the export is complete; rejects if it fails. */
  ended: Promise<void>;
  /** Kills the process, so the export fails. */
  stop(): void;
}

/** Starts the process that writes an export. */
function startExport(job: MakeJob): RunningExport {
  const started = Promise.withResolvers<Export>();
  const ending = Promise.withResolvers<void>();
  const child = fork(new URL("./make-export.main.ts", import.meta.url), { execArgv: nodeOptions, stdio: "inherit" });
  let newExport: Export | null = null;
  let failure: Error | null = null;
  const stop = () => void child.kill("SIGKILL");
  let watchdog = setTimeout(stop, stallTimeoutMs).unref();

  let before = performance.eventLoopUtilization();
  const loads = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (child.connected) child.send({ busyShare: utilization } satisfies Load, () => {});
  }, loadIntervalMs).unref();

  const advance = ({ position, bytes, isComplete }: Progress): void => {
    clearTimeout(watchdog);
    watchdog = setTimeout(stop, stallTimeoutMs).unref();
    if (newExport === null) {
      const { folder, form, publicUrl, takenAtMs } = job;
      const name = { position, form, fingerprint: fingerprintOf(form, publicUrl) };
      newExport = new Export(folder, name, { takenAtMs, bytes, isComplete });
      started.resolve(newExport);
    } else newExport.grow(bytes, isComplete);
    if (isComplete) end("");
  };
  const end = (reason: string): void => {
    clearTimeout(watchdog);
    clearInterval(loads);
    if (newExport?.isComplete === true) {
      ending.resolve();
      return;
    }
    failure ??= new Error(`The process of an export ended before the export was complete: ${reason}.`);
    newExport?.fail(failure);
    started.reject(failure);
    ending.reject(failure);
  };
  child.on("message", (message: Progress | Failure) => {
    if ("bytes" in message) advance(message);
    else failure = Object.assign(new Error(message.message), { code: message.code });
  });
  child.once("error", (error) => {
    failure ??= error;
    end("it did not start");
  });
  child.once("exit", (code, signal) => end(signal ?? `status ${code}`));
  child.send(job, () => {});
  return { started: started.promise, ended: ending.promise, stop };
}

export interface ExportsParts {
  database: Pick<Database, "query" | "address">;
  dataDir: string;
  publicUrl: string;
  clock: Clock;
  log: Pick<Logger, "error">;
}

/**
 * An export of this age is replaced if the catalogue has changed since. After a takedown of a beat, an export of any
 * age is replaced.
 */
const maxAgeMs = 600_000;
/** The time for which an older export stays, so that downloads of it can resume. */
const resumableMs = 3_600_000;
/** The maximum number of files, of all forms together. */
const maxFiles = 6;
const folderName = "exports";
const otherFormRetrySeconds = 30;
const failedRetrySeconds = 60;

/** The exports of this process: files in DATA_DIR/exports, which callers share and with which downloads resume. */
export class Exports {
  readonly #parts: ExportsParts;
  readonly #folder: string;
  /** Oldest first. The last one may be incomplete. */
  #files: Export[] = [];
  #running: (RunningExport & { form: Form }) | null = null;
  #isStopped = false;

  constructor(parts: ExportsParts) {
    this.#parts = parts;
    this.#folder = join(parts.dataDir, folderName);
  }

  /** The number of running exports: 0 or 1. */
  get running(): number {
    return this.#running === null ? 0 : 1;
  }

  /**
   * Opens the files of an earlier process, and deletes its incomplete files. Only for the process that holds DATA_DIR.
   */
  async open(): Promise<void> {
    await deleteUnfinishedTakes(this.#parts.database.query, await this.#removeDrafts());
    for (const file of await readdir(this.#folder).catch(() => [])) {
      const name = parseFileName(file);
      if (name === null) continue;
      const { size, mtimeMs } = await stat(join(this.#folder, file));
      this.#files.push(new Export(this.#folder, name, { takenAtMs: mtimeMs, bytes: size, isComplete: true }));
    }
    this.#files.sort((a, b) => a.takenAtMs - b.takenAtMs);
    await this.sweep();
  }

  /** The complete or running export that a caller may take now; null if a new one is needed. */
  async current(form: Form): Promise<Export | null> {
    const { publicUrl, clock, database } = this.#parts;
    const fingerprint = fingerprintOf(form, publicUrl);
    const newest = this.#files.findLast(
      (each) => each.form === form && each.fingerprint === fingerprint && each.failure === null,
    );
    if (newest === undefined) return null;
    const isRecent = Math.abs(clock.nowMs() - newest.takenAtMs) < maxAgeMs;
    if (!newest.isComplete) return newest;
    if (isRecent) return (await hasTakedownSince(database.query, newest.position)) ? null : newest;
    // Without a change in the catalogue, a new export would have the same bytes.
    return (await newestPosition(database.query)) === newest.position ? newest : null;
  }

  /**
   * Writes an export. Resolves when its first bytes are written. Concurrent callers share the export. Throws 503 while
   * an export in the other form is being written, and if the export fails.
   */
  async make(form: Form): Promise<Export> {
    if (this.#running !== null && this.#running.form !== form) throw otherFormRunning();
    try {
      await makeInDataFolder(this.#parts.dataDir, folderName);
      this.#running ??= this.#start(form);
      return await this.#running.started;
    } catch (error) {
      throw exportFailed(error);
    }
  }

  /** The stored export with this ETag or Last-Modified. */
  find(validator: string): Export | undefined {
    return this.#files.findLast(({ etag, lastModified }) => etag === validator || lastModified === validator);
  }

  /** Deletes files after an hour, except each form's newest file and files being read. Keeps at most `maxFiles`. */
  async sweep(): Promise<void> {
    const sinceMs = this.#parts.clock.nowMs() - resumableMs;
    const isKept = (file: Export, index: number): boolean =>
      !file.isComplete ||
      file.isBeingRead ||
      file.takenAtMs >= sinceMs ||
      this.#files.findLastIndex(({ form }) => form === file.form) === index;
    const kept = this.#files.filter(isKept).slice(-maxFiles);
    const deleted = this.#files.filter((each) => !kept.includes(each));
    this.#files = kept;
    for (const file of deleted) {
      file.endReaders();
      await rm(file.path, { force: true });
    }
  }

  /** Ends the running export and all readers, so that the server can stop. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#running?.stop();
    for (const file of this.#files) file.endReaders();
    await this.#running?.ended.catch(() => {});
  }

  #start(form: Form): RunningExport & { form: Form } {
    if (this.#isStopped) throw new Error("The server stops.");
    const { database, publicUrl, clock } = this.#parts;
    const job = { address: database.address, folder: this.#folder, form, publicUrl, takenAtMs: clock.nowMs() };
    const { started, ended, stop } = startExport(job);
    const registration = started.then((file) => {
      this.#files.push(file);
      return file;
    });
    const end = (error: unknown) => this.#end(error, registration);
    return { started: registration, ended: ended.then(() => end(null), end), stop, form };
  }

  /** `error` is null when the export is complete. */
  async #end(error: unknown, started: Promise<Export>): Promise<void> {
    const { log, database } = this.#parts;
    try {
      if (error === null) return await this.sweep();
      if (!this.#isStopped) log.error({ err: error }, "an export failed; the next call makes a new one");
      const failedExport = await started.catch(() => null);
      this.#files = this.#files.filter((each) => each !== failedExport);
      await this.#removeDrafts();
      if (failedExport !== null) await deleteUnfinishedTakes(database.query, [failedExport.tag]);
    } catch (cause) {
      log.error({ err: cause }, "the files of a failed export could not be deleted; the next start deletes them");
    } finally {
      this.#running = null;
    }
  }

  /** Deletes the files of incomplete exports, and returns the tags of these exports. */
  async #removeDrafts(): Promise<string[]> {
    const drafts = (await readdir(this.#folder).catch(() => [])).filter((file) => file.endsWith(draftSuffix));
    for (const draft of drafts) await rm(join(this.#folder, draft), { force: true });
    return drafts.flatMap((draft) => parseFileName(draft) ?? []).map(tagOf);
  }
}

const unavailable = (details: string, retrySeconds: number, cause?: unknown): ApiError =>
  new ApiError(503, "server_error", "Service unavailable", details, {
    headers: { "retry-after": String(retrySeconds) },
    refusedBy: "overload",
    cause,
  });

const otherFormRunning = (): ApiError =>
  unavailable(
    `An export in the other response form is being made; try again in ${otherFormRetrySeconds} seconds.`,
    otherFormRetrySeconds,
  );

/** 503 for an export that failed. */
export const exportFailed = (cause: unknown): ApiError =>
  unavailable(
    (cause as { code?: string }).code === "ENOSPC"
      ? `The service has no room on its disk for an export; try again in ${failedRetrySeconds} seconds, or tell its operator.`
      : `The export could not be made; try again in ${failedRetrySeconds} seconds.`,
    failedRetrySeconds,
    cause,
  );
