import type { Readable } from "node:stream";
import { Unavailable } from "@beatmarket/foundation/errors.ts";

/** Bytes of an object, both ends included. */
export interface ObjectRange {
  first: number;
  last: number;
}

/** What a link says to the browser that follows it. */
export interface LinkOptions {
  expiresAt: Date;
  /** The name that the file is saved under; any characters. */
  filename: string;
  contentType: string;
}

/** Objects: files named by the SHA-256 of their content, in lower-case hex. The caller checks the name (`isSha256`). */
export interface Storage {
  /**
   * Copies a local file, and verifies that its content has this hash and size on the way. Replaces an object of this name;
   * a reader sees the old or the new one, whole.
   */
  put(file: string, sha256: string, bytes: number): Promise<void>;
  /** Resolves once the first bytes can be read. Throws ObjectNotFound. */
  get(sha256: string, range?: ObjectRange): Promise<Readable>;
  head(sha256: string): Promise<{ bytes: number } | null>;
  /** Succeeds where there is no such object. Ends within `deleteTimeoutMs`; nothing is deleted after that. */
  delete(sha256: string): Promise<void>;
  /** A URL that anybody may GET until it expires. Null: this storage has none, so that the service sends the bytes. */
  link(sha256: string, options: LinkOptions): Promise<string | null>;
}

/** What only upkeep needs of a storage: its identity, its listing, and what ended uploads left. */
export interface StorageUpkeep {
  /** Names it in sentences for the operator: a folder, or bucket and prefix. */
  readonly place: string;
  /** The identity that `writeIdentity` wrote; null without one. */
  readIdentity(): Promise<string | null>;
  writeIdentity(identity: string): Promise<void>;
  /** From now on every method fails wherever this identity is not there: the disk is not mounted, or the bucket was replaced. */
  keepTo(identity: string): void;
  /** Throws when the storage cannot be reached, or is not the one of `keepTo`. */
  requirePlace(): Promise<void>;
  /** Throws an OperatorError when the storage cannot be written, read and deleted from. */
  check(): Promise<void>;
  /** All objects, by hash. */
  list(): AsyncIterable<{ sha256: string; bytes: number }>;
  /** Deletes drafts that were begun before this time, and that no put will finish. */
  deleteDrafts(before: Date): Promise<void>;
}

export class ObjectNotFound extends Error {
  override readonly name = "ObjectNotFound";
  readonly sha256: string;

  constructor(sha256: string) {
    super(`There is no object ${sha256}.`);
    this.sha256 = sha256;
  }
}

/** The storage cannot be reached, or has no room. `code` is that of its cause, such as `ENOSPC`. */
export class StorageUnavailable extends Unavailable {
  override readonly name = "StorageUnavailable";
  readonly code: string | undefined;

  constructor(cause: unknown) {
    const { message, code } = cause as NodeJS.ErrnoException;
    super(
      `The storage cannot be used at the moment: ${message}`,
      "The storage of the service's files is out of reach.",
      { cause },
    );
    this.code = code;
  }
}

/** A put whose file has other content than its name says: it changed in the meantime, or was damaged on the way. */
export class WrongContent extends Error {
  override readonly name = "WrongContent";
}

export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The place of an object below the root of its storage, the same in a folder and in a bucket: `ab/cd/abcd…`. */
export const objectKey = (sha256: string): string => `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;

export const deleteTimeoutMs = 30_000;

/** The place of the identity below the root. */
export const identityKey = "identity";
