import type { Readable } from "node:stream";
import type { LinkOptions, ObjectRange } from "./storage.ts";

/** A file by its key: names separated by slashes. */
export interface ListedFile {
  key: string;
  bytes: number;
  /** When the file was put. */
  putAt: Date;
}

/**
 * Files by key, in a folder or below a prefix of a bucket; storage (`ObjectStorage`) and backup vaults are built on
 * them. Writes are atomic: a reader sees the old content or the new.
 */
export interface Files {
  /** The name of the place in messages for the operator: a folder, or bucket and prefix. */
  readonly place: string;
  /** False: it is a folder. */
  readonly isBucket: boolean;
  /**
   * Writes the chunks of `content`, in constant memory. If `content` throws, `put` throws the same error and changes
   * nothing.
   */
  put(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  /** Resolves when the first bytes can be read; null if the file does not exist. */
  get(key: string, range?: ObjectRange): Promise<Readable | null>;
  head(key: string): Promise<ListedFile | null>;
  /** Returns a text that differs for every file put under this key; null if the file does not exist. */
  version(key: string): Promise<string | null>;
  /** Also succeeds if the file does not exist. Ends within `deleteTimeoutMs`; nothing is deleted after that. */
  delete(key: string): Promise<void>;
  /** Returns a URL that anyone may GET until it expires; null if the place supports none. */
  link(key: string, options: LinkOptions): Promise<string | null>;
  /** Files whose keys begin with `prefix`, by key. */
  list(prefix: string): AsyncIterable<ListedFile>;
  /** Deletes the drafts of abandoned puts of such keys that began before this time. */
  deleteDrafts(before: Date, isOurs: (key: string) => boolean): Promise<void>;
  /** Throws an OperatorError if files cannot be written, read and deleted. */
  check(): Promise<void>;
  /** Describes an error of one of the methods above, as a clause for the operator. */
  explain(error: unknown): string;
}

/** Gives access to its files, for content that is not an object. */
export interface PlaceOfFiles {
  /** Keys must not look like those of objects. */
  readonly files: Files;
}

/** The setting that names a place of files. */
export type PlaceSetting = "STORAGE_URL" | "BACKUP_VAULT";
