import { chown, constants, mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spoolDir, spoolDraftPrefix } from "@beatmarket/postgres/embedded/postgres/archive-command.ts";
import { isHistory, isSegment } from "./segments.ts";

const maxChunkBytes = 262_144;
/** Contains the name of the vault that the segments wait for. Neither PostgreSQL nor `list` treats it as a segment. */
const vaultFile = `${spoolDraftPrefix}vault`;

/** The folder to which an embedded cluster copies finished segments of its write-ahead log (`archiveCommand`). */
export class Spool {
  readonly #clusterDir: string;
  readonly #dir: string;

  constructor(clusterDir: string) {
    this.#clusterDir = clusterDir;
    this.#dir = join(clusterDir, spoolDir);
  }

  /** Keeps finished segments from now on, for this vault if it is known. Returns whether they were kept before. */
  async enable(vault: string | null): Promise<boolean> {
    const { uid, gid } = await stat(this.#clusterDir);
    const firstCreated = await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    if (process.getuid?.() === 0) await chown(this.#dir, uid, gid);
    if (vault !== null) await writeFile(join(this.#dir, vaultFile), vault, { mode: 0o600 });
    return firstCreated === undefined;
  }

  /** The vault that segments are kept for; null if none are kept, or if the vault is not known yet. */
  vault(): Promise<string | null> {
    return readFile(join(this.#dir, vaultFile), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
  }

  /** Keeps no more segments, and discards the waiting ones. */
  disable(): Promise<void> {
    return rm(this.#dir, { recursive: true, force: true });
  }

  /** Returns the files that wait to be shipped, oldest first; histories of timelines before the segments that need them. */
  async list(): Promise<string[]> {
    const names = await readdir(this.#dir).catch(orNone);
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

  /** Histories of timelines that the cluster knows, archived or not. */
  async histories(): Promise<{ name: string; content: () => AsyncIterable<Buffer> }[]> {
    const dir = join(this.#clusterDir, "pg_wal");
    const names = (await readdir(dir).catch(orNone)).filter(isHistory);
    return names.map((name) => ({ name, content: () => fileContent(join(dir, name)) }));
  }
}

/**
 * Reads a file of PostgreSQL's account. Follows no symbolic link, since that account must not choose what this process
 * reads.
 */
export async function* fileContent(path: string): AsyncGenerator<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    // A cluster has a thousand files of one or two pages. Buffers of their size avoid garbage collection of larger
    // ones.
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

const orNone = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === "ENOENT") return [];
  throw error;
};
