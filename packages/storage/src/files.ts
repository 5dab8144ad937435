import type { Readable } from "node:stream";
import type { LinkOptions, ObjectRange } from "./storage.ts";

/** A file in a place. The key has names separated by slashes. */
export interface ListedFile {
  key: string;
  bytes: number;
  /** The time at which the file was put. */
  putAt: Date;
}

/**
 * Files by key, in a folder or below a prefix of a bucket. The base of the storage (`ObjectStorage`) and of backup
 * vaults. Writes are atomic: a reader sees either the old or the new content.
 */
export interface Files {
  /** The name of the place in messages for the operator: a folder, or bucket and prefix. */
  readonly place: string;
  /** Whether the place is a bucket; otherwise it is a folder. */
  readonly isBucket: boolean;
  /**
   * Writes the chunks of `content`, in constant memory. If `content` throws, `put` throws the same error and changes
   * nothing.
   */
  put(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  /** Resolves when the first bytes can be read; null if the file does not exist. */
  get(key: string, range?: ObjectRange): Promise<Readable | null>;
  head(key: string): Promise<ListedFile | null>;
  /** Returns a text that changes with each put of this key; null if the file does not exist. */
  version(key: string): Promise<string | null>;
  /** Succeeds even if the file does not exist. Ends within `deleteTimeoutMs`; nothing is deleted after that. */
  delete(key: string): Promise<void>;
  /** Returns a URL that anyone may GET until it expires; null if the place does not support such URLs. */
  link(key: string, options: LinkOptions): Promise<string | null>;
  /** Files whose keys begin with `prefix`, by key. */
  list(prefix: string): AsyncIterable<ListedFile>;
  /**
   * Deletes the drafts of abandoned puts that began before this time. In a bucket, deletes only the drafts of keys for
   * which `isOurs` returns true.
   */
  deleteDrafts(before: Date, isOurs: (key: string) => boolean): Promise<void>;
  /** Throws an OperatorError if files cannot be written, read and deleted. */
  check(): Promise<void>;
  /** Describes an error of one of the methods above, as a clause for the operator. */
  explain(error: unknown): string;
}

/** Gives access to the files of a storage, for content that is not an object. */
export interface PlaceOfFiles {
  /** A key must not look like an object's key. */
  readonly files: Files;
}

/** The setting that names a place for files. */
export type PlaceSetting = "STORAGE_URL" | "BACKUP_VAULT";
