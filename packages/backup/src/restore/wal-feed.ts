import { chown, mkdir, open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Cluster } from "@beatmarket/postgres/embedded/cluster.ts";
import { walName } from "../backup-list.ts";
import type { Vault } from "../vault/vault.ts";
import { isSegment, positionOf, segmentName, timelineOf } from "../wal/segments.ts";

/** The folder in the cluster through which PostgreSQL gets the log during a restore. */
export const feedDir = "restore-wal";
const pollMs = 20;
/** The number of segments that are fetched before PostgreSQL requests them: 256 MB on disk. */
const segmentsInAdvance = 16;

/**
 * The command that PostgreSQL runs for each file of the log. Creates an empty file `….wanted` as the request, and waits
 * a minute for the requested file. Status 1 means that the file does not exist; a status above 125 ends the recovery.
 */
export const restoreCommand = [
  `f=${feedDir}/%f; test -e $f || { : > $f.wanted; i=0;`,
  "until test -e $f; do test ! -e $f.missing || { rm -f $f.wanted; exit 1; };",
  "i=$((i+1)); test $i -lt 1200 || exit 200; sleep 0.05; done; rm -f $f.wanted; };",
  "mv $f %p",
].join(" ");

/** Supplies PostgreSQL's recovery with files of the log from a vault, a few segments in advance. */
export class WalFeed {
  readonly #vault: Vault;
  readonly #log: string;
  readonly #dir: string;
  readonly #account: Cluster["account"];
  readonly #available: ReadonlySet<string>;
  /** Running fetches by file name. */
  readonly #fetching = new Map<string, Promise<void>>();
  /** Every file that was ever fetched. PostgreSQL may request a file again. */
  readonly #fetched = new Set<string>();
  /** Fetched files that PostgreSQL has not taken yet. */
  readonly #waiting = new Set<string>();
  readonly #stopping = new AbortController();
  #feeding: Promise<void> = Promise.resolve();
  /** Rejects with the reason if the feed cannot continue, which PostgreSQL would not report. */
  readonly failed = Promise.withResolvers<never>();
  /** The number of segments that PostgreSQL has taken. */
  takenCount = 0;

  /**
   * `log` is the system identifier of the cluster, and `available` has the names of all files of its log in the vault.
   */
  constructor(vault: Vault, log: string, { dir, account }: Cluster, available: ReadonlySet<string>) {
    this.#vault = vault;
    this.#log = log;
    this.#dir = join(dir, feedDir);
    this.#account = account;
    this.#available = available;
    this.failed.promise.catch(() => {});
  }

  async start(): Promise<void> {
    await mkdir(this.#dir, { mode: 0o700 });
    if (this.#account !== undefined) await chown(this.#dir, this.#account.uid, this.#account.gid);
    this.#feeding = this.#feed().catch((error) => this.failed.reject(error));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#feeding;
    await Promise.allSettled(this.#fetching.values());
  }

  async #feed(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const waiting = [...this.#waiting];
      const present = new Set(await readdir(this.#dir));
      for (const name of waiting.filter((each) => !present.has(each))) {
        this.#waiting.delete(name);
        if (!isSegment(name)) continue;
        this.takenCount++;
        this.#fetchAhead(name);
      }
      for (const entry of present) {
        const name = entry.replace(/\.wanted$/, "");
        if (name !== entry && !present.has(name)) await this.#supply(name);
      }
      await sleep(pollMs);
    }
  }

  async #supply(name: string): Promise<void> {
    if (this.#available.has(name)) return this.#fetch(name);
    await (await open(join(this.#dir, `${name}.missing`), "w")).close();
  }

  #fetchAhead(name: string): void {
    for (let step = 1; step <= segmentsInAdvance; step++) {
      const next = segmentName(timelineOf(name), positionOf(name) + step);
      if (!this.#available.has(next)) return;
      if (!this.#fetched.has(next)) this.#fetch(next).catch((error) => this.failed.reject(error));
    }
  }

  #fetch(name: string): Promise<void> {
    const download = this.#fetching.get(name);
    if (download !== undefined) return download;
    this.#fetched.add(name);
    const fetching = this.#download(name).finally(() => this.#fetching.delete(name));
    this.#fetching.set(name, fetching);
    return fetching;
  }

  async #download(name: string): Promise<void> {
    const source = walName(this.#log, name);
    const content = await this.#vault.get(source);
    if (content === null)
      throw new OperatorError(`${source} has gone from the vault. If backup prune deleted it, restore a later moment.`);
    const draft = join(this.#dir, `${name}.draft`);
    const file = await open(draft, "w", 0o600);
    if (this.#account !== undefined) await file.chown(this.#account.uid, this.#account.gid);
    await pipeline(content, file.createWriteStream());
    await rename(draft, join(this.#dir, name));
    this.#waiting.add(name);
  }
}
