import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Files, ListedFile, PlaceSetting } from "./files.ts";
import type { ObjectRange } from "./storage.ts";

const draftsFolder = "drafts";

/**
 * Files of a folder. A file is written as a draft, synced, and renamed, so that its content is complete even after a
 * power failure. Only this account can read the files.
 */
export class FolderFiles implements Files {
  readonly place: string;
  readonly isBucket = false;
  readonly #root: string;
  readonly #setting: PlaceSetting;

  /** `root` is an absolute path; the folder is created when needed. */
  constructor(root: string, setting: PlaceSetting) {
    this.place = `the folder ${root}`;
    this.#root = root;
    this.#setting = setting;
  }

  async put(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    const path = join(this.#root, key);
    const draft = join(this.#root, draftsFolder, randomUUID());
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
    try {
      await pipeline(content, createWriteStream(draft, { mode: 0o600 }));
      await sync(draft);
      const firstCreated = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(draft, path);
      await sync(dirname(path));
      if (firstCreated !== undefined)
        for (const folder of foldersFrom(firstCreated, dirname(path))) await sync(dirname(folder));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async get(key: string, range?: ObjectRange): Promise<Readable | null> {
    const handle = await orNull(open(join(this.#root, key)));
    if (handle === null) return null;
    return handle.createReadStream(range === undefined ? {} : { start: range.first, end: range.last });
  }

  async head(key: string): Promise<ListedFile | null> {
    const stats = await orNull(stat(join(this.#root, key)));
    return stats === null ? null : { key, bytes: stats.size, putAt: stats.mtime };
  }

  async version(key: string): Promise<string | null> {
    const stats = await orNull(stat(join(this.#root, key)));
    return stats === null ? null : `${stats.dev} ${stats.ino} ${stats.mtimeMs} ${stats.size}`;
  }

  async delete(key: string): Promise<void> {
    await rm(join(this.#root, key), { force: true });
  }

  async link(): Promise<null> {
    return null;
  }

  list(prefix: string): AsyncIterable<ListedFile> {
    return this.#walk(prefix.slice(0, prefix.lastIndexOf("/") + 1), prefix);
  }

  async deleteDrafts(before: Date): Promise<void> {
    const folder = await orNull(opendir(join(this.#root, draftsFolder)));
    if (folder === null) return;
    for await (const { name } of folder) {
      const path = join(this.#root, draftsFolder, name);
      const stats = await orNull(stat(path));
      if (stats !== null && stats.mtimeMs < before.getTime()) await rm(path, { force: true });
    }
  }

  async check(): Promise<void> {
    const probe = join(this.#root, draftsFolder, randomUUID());
    try {
      await mkdir(dirname(probe), { recursive: true, mode: 0o700 });
      await writeFile(probe, probe, { mode: 0o600 });
      if ((await readFile(probe, "utf8")) !== probe)
        throw new Error("a file that was written has other content when it is read");
      await rm(probe);
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      const isFile = code === "ENOTDIR" || code === "EEXIST";
      const reason = isFile ? "it is a file, or below one" : message;
      const remedy = isFile ? "Name a folder" : "Make the folder writable for this account";
      const isStorage = this.#setting === "STORAGE_URL";
      const subject = isStorage ? "The storage" : "The vault";
      const alternative = isStorage ? "another storage" : "another place";
      throw new OperatorError(
        `${subject} in ${this.place} cannot be used: ${reason}. ${remedy}, or set ${this.#setting} to ${alternative}.`,
        { cause },
      );
    }
  }

  explain(error: unknown): string {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") return "its disk is full; make room";
    if (code === "EACCES" || code === "EPERM" || code === "EROFS")
      return `this account may not use it (${message}); give it the folder, or correct ${this.#setting}`;
    return message ?? String(error);
  }

  /** The files of a folder, by name. `folder` is "" or ends in a slash. */
  async *#walk(folder: string, prefix: string): AsyncIterable<ListedFile> {
    const entries = (await orNull(readdir(join(this.#root, folder), { withFileTypes: true }))) ?? [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const key = `${folder}${entry.name}`;
      if (entry.isDirectory() && key !== draftsFolder) {
        if (key.startsWith(prefix) || prefix.startsWith(`${key}/`)) yield* this.#walk(`${key}/`, prefix);
      } else if (key.startsWith(prefix)) {
        const stats = await orNull(stat(join(this.#root, key)));
        if (stats?.isFile() === true) yield { key, bytes: stats.size, putAt: stats.mtime };
      }
    }
  }
}

/** The folders from `top` down to `bottom`, inclusive. */
function foldersFrom(top: string, bottom: string): string[] {
  return bottom === top ? [top] : [...foldersFrom(top, dirname(bottom)), bottom];
}

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}

const orNull = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
