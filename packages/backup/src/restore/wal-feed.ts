import { chown, mkdir, open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Cluster } from "@beatmarket/postgres/embedded/cluster.ts";
import { walName } from "../backup-list.ts";
import type { Vault } from "../vault/vault.ts";
import { isSegment, positionOf, segmentName, timelineOf } from "../wal/segments.ts";

/** The folder in the cluster during a restore. */
export const feedDir = "restore-wal";
const pollMs = 20;
/** Number of segments that are fetched before PostgreSQL requests them: 256 MB on disk. */
const ahead = 16;

/**
 * The command that PostgreSQL runs for each file of the log. It requests the file by creating an empty file, and waits
 * a minute for it. Status 1 means that the file does not exist; a status above 125 ends the recovery.
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
  readonly #known: ReadonlySet<string>;
  /** Running fetches by file name. */
  readonly #fetching = new Map<string, Promise<void>>();
  /** Files fetched at any time: PostgreSQL may request a file again. */
  readonly #fetched = new Set<string>();
  /** Fetched files that PostgreSQL has not taken yet. */
  readonly #waiting = new Set<string>();
  readonly #stopping = new AbortController();
  #feeding: Promise<void> = Promise.resolve();
  /** Rejects when the feed cannot continue; PostgreSQL would wait in vain. */
  readonly failed = Promise.withResolvers<never>();
  /** Segments that PostgreSQL has taken. */
  taken = 0;

  /**
   * `log` is the system identifier of the cluster whose log this is, and `known` has the names of all its files in the
   * vault.
   */
  constructor(vault: Vault, log: string, { dir, account }: Cluster, available: ReadonlySet<string>) {
    this.#vault = vault;
    this.#log = log;
    this.#dir = join(dir, feedDir);
    this.#account = account;
    this.#known = available;
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
      const there = new Set(await readdir(this.#dir));
      for (const name of waiting.filter((each) => !there.has(each))) {
        this.#waiting.delete(name);
        if (!isSegment(name)) continue;
        this.taken++;
        this.#fetchAhead(name);
      }
      for (const entry of there) {
        const name = entry.replace(/\.wanted$/, "");
        if (name !== entry && !there.has(name)) await this.#put(name);
      }
      await sleep(pollMs);
    }
  }

  async #put(name: string): Promise<void> {
    if (this.#known.has(name)) return this.#fetch(name);
    await (await open(join(this.#dir, `${name}.missing`), "w")).close();
  }

  #fetchAhead(name: string): void {
    for (let step = 1; step <= ahead; step++) {
      const next = segmentName(timelineOf(name), positionOf(name) + step);
      if (!this.#known.has(next)) return;
      if (!this.#fetched.has(next)) this.#fetch(next).catch((error) => this.failed.reject(error));
    }
  }

  #fetch(name: string): Promise<void> {
    const download = this.#fetching.get(name);
    if (download !== undefined) return download;
    this.#fetched.add(name);
    const fetching = this.#bring(name).finally(() => this.#fetching.delete(name));
    this.#fetching.set(name, fetching);
    return fetching;
  }

  async #bring(name: string): Promise<void> {
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
