import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "../errors.ts";
import {
  identityKey,
  isSha256,
  ObjectNotFound,
  type ObjectRange,
  objectKey,
  type Storage,
  type StorageUpkeep,
  WrongContent,
} from "./storage.ts";

const draftsFolder = "drafts";

/**
 * Objects as files of a folder. A file is written as a draft, synced, and renamed, so that a name stands for whole content
 * even after a power failure. Only this account reads them.
 */
export class FolderStorage implements Storage, StorageUpkeep {
  readonly place: string;
  readonly #root: string;

  /** `root` is an absolute path; made when it is needed. */
  constructor(root: string) {
    this.place = `the folder ${root}`;
    this.#root = root;
  }

  async put(file: string, sha256: string, bytes: number): Promise<void> {
    const hash = createHash("sha256");
    let size = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        size += chunk.length;
        done(null, chunk);
      },
    });
    await this.#write(objectKey(sha256), async (draft) => {
      await pipeline(createReadStream(file), measure, createWriteStream(draft, { mode: 0o600 }));
      if (size !== bytes || hash.digest("hex") !== sha256)
        throw new WrongContent(`${file} is not the file of ${bytes} bytes with the hash ${sha256} any more.`);
    });
  }

  async get(sha256: string, range?: ObjectRange): Promise<Readable> {
    const handle = await open(this.#path(sha256)).catch((error) => {
      throw isMissing(error) ? new ObjectNotFound(sha256) : error;
    });
    return handle.createReadStream(range === undefined ? {} : { start: range.first, end: range.last });
  }

  async head(sha256: string): Promise<{ bytes: number } | null> {
    const found = await orNull(stat(this.#path(sha256)));
    return found === null ? null : { bytes: found.size };
  }

  async delete(sha256: string): Promise<void> {
    await rm(this.#path(sha256), { force: true });
  }

  async link(): Promise<null> {
    return null;
  }

  async readIdentity(): Promise<string | null> {
    return (await orNull(readFile(join(this.#root, identityKey), "utf8")))?.trim() ?? null;
  }

  async writeIdentity(identity: string): Promise<void> {
    await this.#write(identityKey, (draft) => writeFile(draft, `${identity}\n`, { mode: 0o600 }));
  }

  async check(): Promise<void> {
    const probe = join(this.#root, draftsFolder, randomUUID());
    try {
      await mkdir(dirname(probe), { recursive: true, mode: 0o700 });
      await writeFile(probe, probe, { mode: 0o600 });
      if ((await readFile(probe, "utf8")) !== probe) throw new Error("what was written reads back as something else");
      await rm(probe);
    } catch (cause) {
      throw new OperatorError(
        `The storage in ${this.place} cannot be used: ${(cause as Error).message}. Make the folder writable for this account, or set STORAGE_URL to another storage.`,
        { cause },
      );
    }
  }

  async *list(): AsyncIterable<{ sha256: string; bytes: number }> {
    const isHex = (name: string) => /^[0-9a-f]{2}$/.test(name);
    for (const first of (await namesIn(this.#root)).filter(isHex))
      for (const second of (await namesIn(join(this.#root, first))).filter(isHex)) {
        const folder = join(this.#root, first, second);
        for (const name of await namesIn(folder)) {
          // Files that others put here are none of ours.
          if (!isSha256(name) || objectKey(name) !== relative(this.#root, join(folder, name))) continue;
          const found = await this.head(name);
          if (found !== null) yield { sha256: name, bytes: found.bytes };
        }
      }
  }

  async deleteDrafts(before: Date): Promise<void> {
    const folder = await orNull(opendir(join(this.#root, draftsFolder)));
    if (folder === null) return;
    for await (const { name } of folder) {
      const path = join(this.#root, draftsFolder, name);
      const found = await orNull(stat(path));
      if (found !== null && found.mtimeMs < before.getTime()) await rm(path, { force: true });
    }
  }

  readonly #path = (sha256: string): string => join(this.#root, objectKey(sha256));

  async #write(key: string, fill: (draft: string) => Promise<void>): Promise<void> {
    const path = join(this.#root, key);
    const draft = join(this.#root, draftsFolder, randomUUID());
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
    try {
      await fill(draft);
      await sync(draft);
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(draft, path);
      await sync(dirname(path));
      if (made !== undefined) for (const folder of foldersFrom(made, dirname(path))) await sync(dirname(folder));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}

/** The folders from `top` down to `bottom`, both included. */
function foldersFrom(top: string, bottom: string): string[] {
  return bottom === top ? [top] : [...foldersFrom(top, dirname(bottom)), bottom];
}

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}

const namesIn = async (folder: string): Promise<string[]> => ((await orNull(readdir(folder))) ?? []).sort();

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

const orNull = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error) => {
    if (isMissing(error)) return null;
    throw error;
  });
