import { hash } from "node:crypto";
import { compress, type Encoding } from "./encodings.ts";

/** The bytes of a representation in one content coding. */
export interface EncodedBytes {
  body: Buffer;
  etag: string;
  /** Absent for plain bytes. */
  encoding?: Encoding;
}

/**
 * A representation of a resource (RFC 9110 3.2): bytes and their ETag. Compresses them once for each content coding.
 */
export class Representation implements EncodedBytes {
  body: Buffer;
  readonly etag: string;
  readonly contentType: string;
  /** Whether only one caller may get the representation. */
  readonly isPersonal: boolean;
  readonly #encoded = new Map<Encoding, EncodedBytes | Promise<EncodedBytes>>();

  /** `editVersion`: for If-Match, the beginning of the ETag; null for a resource that the caller may not change. */
  constructor(body: string, contentType: string, editVersion: number | null = null) {
    this.body = Buffer.from(body);
    this.isPersonal = editVersion !== null;
    this.etag = editVersion === null ? etagOf(this.body) : `"v${editVersion}-${etagOf(this.body).slice(1)}`;
    this.contentType = contentType;
  }

  /** Moves the bytes out of Node's pool of small buffers: one cached slice would retain 64 kB of the pool. */
  detach(): void {
    this.body = withOwnMemory(this.body);
  }

  /** Compresses once; returns a promise only until the result is ready. */
  encoded(encoding: Encoding): EncodedBytes | Promise<EncodedBytes> {
    const cached = this.#encoded.get(encoding);
    if (cached !== undefined) return cached;
    const compressing = compress(this.body, encoding).then((compressed) => {
      // Different bytes need a different strong tag (RFC 9110 8.8.3.3).
      const bytes = { body: withOwnMemory(compressed), etag: `${this.etag.slice(0, -1)}-${encoding}"`, encoding };
      this.#encoded.set(encoding, bytes);
      return bytes;
    });
    this.#encoded.set(encoding, compressing);
    compressing.catch(() => this.#encoded.delete(encoding));
    return compressing;
  }
}

function withOwnMemory(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** A strong ETag. The same bytes have the same tag on every instance. */
export const etagOf = (body: Buffer): string => `"${hash("sha1", body, "base64url")}"`;
