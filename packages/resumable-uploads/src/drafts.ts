import { randomUUID } from "node:crypto";
import { type FileHandle, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeInDataFolder } from "@beatmarket/postgres/embedded/data-folder.ts";

const folderName = "uploads";

/** Chunks are collected up to this size for one write. */
const writeBytes = 1_000_000;

/** Files for parts of uploads that are not stored yet, in the folder `DATA_DIR/uploads`. */
export class PartDrafts {
  readonly folder: string;
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, folderName);
    this.#dataDir = dataDir;
  }

  /** Begins an empty draft. */
  async begin(): Promise<PartDraft> {
    await makeInDataFolder(this.#dataDir, folderName);
    const path = join(this.folder, `${randomUUID()}.part`);
    return new PartDraft(path, await open(path, "wx", 0o600));
  }

  /** Deletes the drafts of killed processes: those without a write since `untouchedSince`. */
  async sweep(untouchedSince: Date): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names) {
      const path = join(this.folder, name);
      const file = await stat(path).catch(() => null);
      if (file !== null && file.mtimeMs < untouchedSince.getTime()) await rm(path, { force: true });
    }
  }
}

/** The file of a part while its bytes arrive. */
export class PartDraft {
  readonly path: string;
  readonly #handle: FileHandle;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #bytes = 0;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** The number of appended bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    this.#bytes += chunk.length;
    if (this.#pendingBytes >= writeBytes) await this.flush();
  }

  /** Writes all appended bytes to the file. Does not sync the file: the storage syncs its copy. */
  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    await this.#handle.appendFile(bytes);
  }

  async remove(): Promise<void> {
    await this.#handle.close();
    await rm(this.path, { force: true });
  }
}
