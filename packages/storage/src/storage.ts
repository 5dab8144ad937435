import type { Readable } from "node:stream";
import { Unavailable } from "@beatmarket/foundation/errors.ts";

/** A range of an object's bytes, both ends inclusive. */
export interface ObjectRange {
  first: number;
  last: number;
}

/** The expiry of a link, and the response headers that the link sets for the browser. */
export interface LinkOptions {
  expiresAt: Date;
  /** The name under which the file is saved; any characters. */
  filename: string;
  contentType: string;
}

/** Objects: files named by the SHA-256 of their content, in lower-case hex. The caller checks the name (`isSha256`). */
export interface Storage {
  /**
   * Copies a local file, and verifies its hash and size during the copy. Replaces an object of this name atomically: a
   * reader sees either the old or the new object.
   */
  put(file: string, sha256: string, bytes: number): Promise<void>;
  /** Resolves when the first bytes can be read. Throws ObjectNotFound. */
  get(sha256: string, range?: ObjectRange): Promise<Readable>;
  /** Null if the object does not exist. */
  head(sha256: string): Promise<{ bytes: number } | null>;
  /** Succeeds even if the object does not exist. Ends within `deleteTimeoutMs`; nothing is deleted after that. */
  delete(sha256: string): Promise<void>;
  /**
   * Returns a URL that anyone may GET until it expires. Null if the storage does not support such URLs; the service
   * then sends the bytes.
   */
  link(sha256: string, options: LinkOptions): Promise<string | null>;
}

/** Operations that only maintenance needs: identity, listing, and removal of abandoned uploads. */
export interface StorageUpkeep {
  /** The name of the storage in messages for the operator: a folder, or bucket and prefix. */
  readonly place: string;
  /** Returns the identity that `writeIdentity` wrote; null if there is none. */
  readIdentity(): Promise<string | null>;
  writeIdentity(identity: string): Promise<void>;
  /**
   * From now on, methods fail if the storage has another identity or none (`AnchoredFiles`), because the disk is not
   * mounted or the bucket was replaced.
   */
  bindTo(identity: string): void;
  /** Throws if the storage is unreachable, or does not have the identity of `bindTo`. */
  requirePlace(): Promise<void>;
  /** Throws an OperatorError if files cannot be written, read and deleted. */
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

/** The storage is unreachable or full. `code`: the code of the cause, such as `ENOSPC`. */
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

/** The content of a file does not match its hash: it changed during the copy, or was damaged in transit. */
export class WrongContent extends Error {
  override readonly name = "WrongContent";
}

export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** The key of an object: `ab/cd/abcd…`. The same in a folder and in a bucket. */
export const objectKey = (sha256: string): string => `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;

export const deleteTimeoutMs = 30_000;

/** The key of the file with the identity. */
export const identityKey = "identity";
