import { randomUUID } from "node:crypto";
import { type FileHandle, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeInDataFolder } from "@beatmarket/postgres/embedded/data-folder.ts";

const folderName = "uploads";

/** Chunks are collected up to this size for one write. */
const writeBytes = 1_000_000;

/** Parts of uploads until they are stored: one file for each, in the folder `DATA_DIR/uploads`. */
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

  /** Deletes drafts without a write since then, which a killed process left. */
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
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  #bytes = 0;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** The number of bytes that were appended. */
  get bytes(): number {
    return this.#bytes;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    this.#bytes += chunk.length;
    if (this.#gatheredBytes >= writeBytes) await this.flush();
  }

  /** Writes all appended bytes to the file. Syncing is left to the storage. */
  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    await this.#handle.appendFile(bytes);
  }

  /** Deletes the file. */
  async remove(): Promise<void> {
    await this.#handle.close();
    await rm(this.path, { force: true });
  }
}
