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
import { draftSuffix, Export, fingerprintOf, nameOf, tagOf, undoTakesOf } from "./export.ts";
import type { Failure, Load } from "./make-export.main.ts";
import type { MakeJob, Progress } from "./make-export.ts";

/** A process that has written nothing for so long is ended. */
const stalledMs = 120_000;
const loadIntervalMs = 200;
const heapBounds = ["--max-old-space-size=128", "--max-semi-space-size=8"];

/** An export that is being made, in a process of its own. */
interface Making {
  /** Resolves when the first bytes are written; rejects when it fails before. */
  began: Promise<Export>;
  /** Rejects when it fails. */
  ended: Promise<void>;
  /** Ends the process: the export fails. */
  stop(): void;
}

/** Starts to make an export. */
function startMaking(job: MakeJob): Making {
  const began = Promise.withResolvers<Export>();
  const ended = Promise.withResolvers<void>();
  const child = fork(new URL("./make-export.main.ts", import.meta.url), { execArgv: heapBounds, stdio: "inherit" });
  let newExport: Export | null = null;
  let failure: Error | null = null;
  const stop = () => void child.kill("SIGKILL");
  let watchdog = setTimeout(stop, stalledMs).unref();

  let before = performance.eventLoopUtilization();
  const loads = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (child.connected) child.send({ busyShare: utilization } satisfies Load, () => {});
  }, loadIntervalMs).unref();

  const advance = ({ position, bytes, isComplete }: Progress): void => {
    clearTimeout(watchdog);
    watchdog = setTimeout(stop, stalledMs).unref();
    if (newExport === null) {
      const { folder, form, publicUrl, takenAtMs } = job;
      const name = { position, form, fingerprint: fingerprintOf(form, publicUrl) };
      newExport = new Export(folder, name, { takenAtMs, bytes, isComplete });
      began.resolve(newExport);
    } else newExport.grow(bytes, isComplete);
    if (isComplete) end("");
  };
  const end = (reason: string): void => {
    clearTimeout(watchdog);
    clearInterval(loads);
    if (newExport?.isComplete === true) {
      ended.resolve();
      return;
    }
    failure ??= new Error(`The process that makes exports ended before it was through: ${reason}.`);
    newExport?.fail(failure);
    began.reject(failure);
    ended.reject(failure);
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
  return { began: began.promise, ended: ended.promise, stop };
}

export interface ExportsParts {
  database: Pick<Database, "query" | "address">;
  dataDir: string;
  publicUrl: string;
  clock: Clock;
  log: Pick<Logger, "error">;
}

/** An export is made again when it is older and the catalogue has changed since, or when a beat of it is taken down. */
const maxAgeMs = 600_000;
/** How long a download of an older export can be resumed. */
const keptMs = 3_600_000;
/** All forms together. */
const maxFiles = 6;
const folderName = "exports";
const otherFormRetrySeconds = 30;
const failedRetrySeconds = 60;

/** The exports of this process: files in DATA_DIR/exports, made for many callers and kept for those who resume. */
export class Exports {
  readonly #parts: ExportsParts;
  readonly #folder: string;
  /** Oldest first; the last may still grow. */
  #kept: Export[] = [];
  #making: (Making & { form: Form }) | null = null;
  #isStopped = false;

  constructor(parts: ExportsParts) {
    this.#parts = parts;
    this.#folder = join(parts.dataDir, folderName);
  }

  /** How many are being made: one at most. */
  get running(): number {
    return this.#making === null ? 0 : 1;
  }

  /** Takes over what an earlier process left. Only for the process that holds DATA_DIR. */
  async open(): Promise<void> {
    await undoTakesOf(this.#parts.database.query, await this.#removeDrafts());
    for (const file of await readdir(this.#folder).catch(() => [])) {
      const name = nameOf(file);
      if (name === null) continue;
      const { size, mtimeMs } = await stat(join(this.#folder, file));
      this.#kept.push(new Export(this.#folder, name, { takenAtMs: mtimeMs, bytes: size, isComplete: true }));
    }
    this.#kept.sort((a, b) => a.takenAtMs - b.takenAtMs);
    await this.sweep();
  }

  /** The export that a caller may take now, or that is being made. Null where one has to be made first. */
  async atHand(form: Form): Promise<Export | null> {
    const { publicUrl, clock, database } = this.#parts;
    const fingerprint = fingerprintOf(form, publicUrl);
    const newest = this.#kept.findLast(
      (each) => each.form === form && each.fingerprint === fingerprint && each.failure === null,
    );
    if (newest === undefined) return null;
    const isRecent = Math.abs(clock.nowMs() - newest.takenAtMs) < maxAgeMs;
    if (!newest.isComplete) return newest;
    if (isRecent) return (await hasTakedownSince(database.query, newest.position)) ? null : newest;
    // A new one would have the same bytes.
    return (await newestPosition(database.query)) === newest.position ? newest : null;
  }

  /** Makes an export. Resolves when its first bytes are there; all who call in the meantime share it. */
  async make(form: Form): Promise<Export> {
    if (this.#making !== null && this.#making.form !== form) throw otherFormFirst();
    try {
      await makeInDataFolder(this.#parts.dataDir, folderName);
      this.#making ??= this.#start(form);
      return await this.#making.began;
    } catch (error) {
      throw failed(error);
    }
  }

  /** The kept export that a validator names: its ETag or its Last-Modified. */
  find(validator: string): Export | undefined {
    return this.#kept.findLast(({ etag, lastModified }) => etag === validator || lastModified === validator);
  }

  /** Deletes files after an hour, unless they are the newest or being read; and all but the newest few. */
  async sweep(): Promise<void> {
    const sinceMs = this.#parts.clock.nowMs() - keptMs;
    const isWanted = (file: Export, index: number): boolean =>
      !file.isComplete ||
      file.isBeingRead ||
      file.takenAtMs >= sinceMs ||
      this.#kept.findLastIndex(({ form }) => form === file.form) === index;
    const newest = this.#kept.filter(isWanted).slice(-maxFiles);
    const deleted = this.#kept.filter((each) => !newest.includes(each));
    this.#kept = newest;
    for (const file of deleted) {
      file.endReaders();
      await rm(file.path, { force: true });
    }
  }

  /** Ends what is being made and read, so that the server can stop. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#making?.stop();
    for (const file of this.#kept) file.endReaders();
    await this.#making?.ended.catch(() => {});
  }

  #start(form: Form): Making & { form: Form } {
    if (this.#isStopped) throw new Error("The server stops.");
    const { database, publicUrl, clock } = this.#parts;
    const job = { address: database.address, folder: this.#folder, form, publicUrl, takenAtMs: clock.nowMs() };
    const { began, ended, stop } = startMaking(job);
    const registration = began.then((file) => {
      this.#kept.push(file);
      return file;
    });
    const end = (error: unknown) => this.#end(error, registration);
    return { began: registration, ended: ended.then(() => end(null), end), stop, form };
  }

  /** `error` is null when the export is complete. */
  async #end(error: unknown, began: Promise<Export>): Promise<void> {
    const { log, database } = this.#parts;
    try {
      if (error === null) return await this.sweep();
      if (!this.#isStopped) log.error({ err: error }, "an export failed; the next call makes a new one");
      const begun = await began.catch(() => null);
      this.#kept = this.#kept.filter((each) => each !== begun);
      await this.#removeDrafts();
      if (begun !== null) await undoTakesOf(database.query, [begun.tag]);
    } catch (cause) {
      log.error({ err: cause }, "what an export left could not be cleared away; the next start does it");
    } finally {
      this.#making = null;
    }
  }

  /** Returns their tags. */
  async #removeDrafts(): Promise<string[]> {
    const drafts = (await readdir(this.#folder).catch(() => [])).filter((file) => file.endsWith(draftSuffix));
    for (const draft of drafts) await rm(join(this.#folder, draft), { force: true });
    return drafts.flatMap((draft) => nameOf(draft) ?? []).map(tagOf);
  }
}

const unavailable = (details: string, retrySeconds: number, cause?: unknown): ApiError =>
  new ApiError(503, "server_error", "Service unavailable", details, {
    headers: { "retry-after": String(retrySeconds) },
    refusedBy: "overload",
    cause,
  });

const otherFormFirst = (): ApiError =>
  unavailable(
    `An export in the other response form is being made; try again in ${otherFormRetrySeconds} seconds.`,
    otherFormRetrySeconds,
  );

/** 503 for an export that could not be made. */
export const failed = (cause: unknown): ApiError =>
  unavailable(
    (cause as { code?: string }).code === "ENOSPC"
      ? `The service has no room on its disk for an export; try again in ${failedRetrySeconds} seconds, or tell its operator.`
      : `The export could not be made; try again in ${failedRetrySeconds} seconds.`,
    failedRetrySeconds,
    cause,
  );
