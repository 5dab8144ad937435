import type { Readable } from "node:stream";
import type { LinkOptions, ObjectRange } from "./storage.ts";

/** A file by its key: names separated by slashes. */
export interface ListedFile {
  key: string;
  bytes: number;
  /** When it was put. */
  putAt: Date;
}

/**
 * Files by their keys, below a folder or a prefix of a bucket: what storage (`ObjectStorage`) and vaults of backups are made
 * of. A key stands for whole content: a reader sees the old or the new one.
 */
export interface Files {
  /** Names it in sentences for the operator: a folder, or bucket and prefix. */
  readonly place: string;
  /** Otherwise a folder. */
  readonly isBucket: boolean;
  /** Writes what `content` yields, in constant memory. When `content` throws, so does this, and nothing has changed. */
  put(key: string, content: AsyncIterable<Buffer>): Promise<void>;
  /** Resolves once the first bytes can be read; null without such a file. */
  get(key: string, range?: ObjectRange): Promise<Readable | null>;
  head(key: string): Promise<ListedFile | null>;
  /** Another text for every other file that was put under this key; null without such a file. */
  version(key: string): Promise<string | null>;
  /** Succeeds where there is no such file. Ends within `deleteTimeoutMs`; nothing is deleted after that. */
  delete(key: string): Promise<void>;
  /** A URL that anybody may GET until it expires; null where there are none. */
  link(key: string, options: LinkOptions): Promise<string | null>;
  /** Files whose keys begin with `prefix`, by key. */
  list(prefix: string): AsyncIterable<ListedFile>;
  /** Deletes what puts of such keys left that were begun before this time, and that no one will finish. */
  deleteDrafts(before: Date, isOurs: (key: string) => boolean): Promise<void>;
  /** Throws an OperatorError when files cannot be written, read and deleted. */
  check(): Promise<void>;
  /** A clause for the operator about an error of one of the above. */
  explain(error: unknown): string;
}

/** What has its files at hand, for content that is no object. */
export interface PlaceOfFiles {
  /** Their keys must not look like those of objects. */
  readonly files: Files;
}

/** The setting by which the operator names a place of files. */
export type PlaceSetting = "STORAGE_URL" | "BACKUP_VAULT";
