import { chown, constants, mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spoolDir, spoolDraftPrefix } from "@beatmarket/postgres/embedded/postgres/archive-command.ts";
import { isHistory, isSegment } from "./segments.ts";

const maxChunkBytes = 262_144;
/** Contains the place of the vault for which the segments are kept. */
const vaultFile = `${spoolDraftPrefix}vault`;

/** The folder to which an embedded cluster copies finished segments of its write-ahead log (`archiveCommand`). */
export class Spool {
  readonly #clusterDir: string;
  readonly #dir: string;

  constructor(clusterDir: string) {
    this.#clusterDir = clusterDir;
    this.#dir = join(clusterDir, spoolDir);
  }

  /**
   * From now on, PostgreSQL copies finished segments here. `vault` is null if it is not known yet. Returns whether the
   * spool existed.
   */
  async enable(vault: string | null): Promise<boolean> {
    const { uid, gid } = await stat(this.#clusterDir);
    const firstCreated = await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    if (process.getuid?.() === 0) await chown(this.#dir, uid, gid);
    if (vault !== null) await writeFile(join(this.#dir, vaultFile), vault, { mode: 0o600 });
    return firstCreated === undefined;
  }

  /** The place of the vault for which segments are kept; null without a spool, or if the vault is not known yet. */
  vault(): Promise<string | null> {
    return readFile(join(this.#dir, vaultFile), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
  }

  /** Ends the copying of segments, and discards the waiting segments. */
  disable(): Promise<void> {
    return rm(this.#dir, { recursive: true, force: true });
  }

  /** Returns the names of files to ship: histories first, then segments, the oldest one first. */
  async list(): Promise<string[]> {
    const names = await readdir(this.#dir).catch(emptyIfMissing);
    const archivable = names.filter((name) => isSegment(name) || isHistory(name));
    // PostgreSQL also archives other files, which no restore needs.
    for (const name of names)
      if (!archivable.includes(name) && !name.startsWith(spoolDraftPrefix)) await this.remove(name);
    return archivable.sort((a, b) => Number(isSegment(a)) - Number(isSegment(b)) || (a < b ? -1 : 1));
  }

  read(name: string): AsyncIterable<Buffer> {
    return fileContent(join(this.#dir, name));
  }

  remove(name: string): Promise<void> {
    return rm(join(this.#dir, name), { force: true });
  }

  /** The timeline histories of the cluster, archived or not. */
  async histories(): Promise<{ name: string; content: () => AsyncIterable<Buffer> }[]> {
    const dir = join(this.#clusterDir, "pg_wal");
    const names = (await readdir(dir).catch(emptyIfMissing)).filter(isHistory);
    return names.map((name) => ({ name, content: () => fileContent(join(dir, name)) }));
  }
}

/**
 * Reads a file of PostgreSQL's account. Refuses a symbolic link, because that account must not choose which file this
 * process reads.
 */
export async function* fileContent(path: string): AsyncGenerator<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    // A cluster has a thousand files of one or two pages. Buffers of that size cost less garbage collection.
    const chunkBytes = Math.min(Math.max((await handle.stat()).size, 1), maxChunkBytes);
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes));
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

const emptyIfMissing = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === "ENOENT") return [];
  throw error;
};
