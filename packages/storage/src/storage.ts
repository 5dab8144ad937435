import type { Readable } from "node:stream";
import { Unavailable } from "@beatmarket/foundation/errors.ts";

/** A range of an object's bytes, both ends inclusive. */
export interface ObjectRange {
  first: number;
  last: number;
}

/** The response headers that a link sets for the browser. */
export interface LinkOptions {
  expiresAt: Date;
  /** The name under which the file is saved; any characters. */
  filename: string;
  contentType: string;
}

/** Objects: files named by the SHA-256 of their content, in lower-case hex. The caller checks the name (`isSha256`). */
export interface Storage {
  /**
   * Copies a local file, and verifies its hash and size on the way. Replaces an object of this name atomically: a
   * reader sees the old or the new one.
   */
  put(file: string, sha256: string, bytes: number): Promise<void>;
  /** Resolves when the first bytes can be read. Throws ObjectNotFound. */
  get(sha256: string, range?: ObjectRange): Promise<Readable>;
  head(sha256: string): Promise<{ bytes: number } | null>;
  /** Also succeeds if the object does not exist. Ends within `deleteTimeoutMs`; nothing is deleted after that. */
  delete(sha256: string): Promise<void>;
  /**
   * Returns a URL that anyone may GET until it expires. Null: this storage supports none, so the service sends the
   * bytes.
   */
  link(sha256: string, options: LinkOptions): Promise<string | null>;
}

/** Operations that only maintenance needs: identity, listing, and removal of abandoned uploads. */
export interface StorageUpkeep {
  /** The name of the storage in messages for the operator: a folder, or bucket and prefix. */
  readonly place: string;
  /** The identity that `writeIdentity` wrote; null without one. */
  readIdentity(): Promise<string | null>;
  writeIdentity(identity: string): Promise<void>;
  /**
   * From now on every method fails unless this identity is there; otherwise the disk is not mounted, or the bucket was
   * replaced.
   */
  keepTo(identity: string): void;
  /** Throws if the storage is unreachable, or is not the one of `keepTo`. */
  requirePlace(): Promise<void>;
  /** Throws an OperatorError if the storage cannot be written, read and deleted from. */
  check(): Promise<void>;
  /** Yields all objects, by hash. */
  list(): AsyncIterable<{ sha256: string; bytes: number }>;
  /** Deletes drafts of abandoned puts that began before this time. */
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

/** The storage is unreachable or full. `code` is that of the cause, such as `ENOSPC`. */
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

/** The content of a file does not match its name: it changed in the meantime, or was damaged in transit. */
export class WrongContent extends Error {
  override readonly name = "WrongContent";
}

export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The key of an object below the root of its storage, the same in a folder and in a bucket: `ab/cd/abcd…`. */
export const objectKey = (sha256: string): string => `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;

export const deleteTimeoutMs = 30_000;

/** The key of the identity below the root. */
export const identityKey = "identity";
