import { hash } from "node:crypto";
import { compress, type Encoding } from "./encodings.ts";

/** The bytes of a representation in one content coding. */
export interface EncodedBytes {
  body: Buffer;
  etag: string;
  /** Absent for plain bytes. */
  encoding?: Encoding;
}

/** A representation (RFC 9110 3.2) of a resource: its bytes, their ETag, and each content coding, compressed once. */
export class Representation implements EncodedBytes {
  body: Buffer;
  readonly etag: string;
  readonly contentType: string;
  /** Whether it was made for one caller, so that nobody else may get it. */
  readonly isPersonal: boolean;
  readonly #encoded = new Map<Encoding, EncodedBytes | Promise<EncodedBytes>>();

  /** `editVersion`: only of a resource that its reader may change. The tag begins with it, for If-Match. */
  constructor(body: string, contentType: string, editVersion: number | null = null) {
    this.body = Buffer.from(body);
    this.isPersonal = editVersion !== null;
    this.etag = editVersion === null ? etagOf(this.body) : `"v${editVersion}-${etagOf(this.body).slice(1)}`;
    this.contentType = contentType;
  }

  /** Moves the bytes out of Node's pool of small buffers: one cached slice would retain 64 kB of the pool. */
  detach(): void {
    this.body = detached(this.body);
  }

  /** Compresses once; returns a promise only until the result is ready. */
  encoded(encoding: Encoding): EncodedBytes | Promise<EncodedBytes> {
    const cached = this.#encoded.get(encoding);
    if (cached !== undefined) return cached;
    const compressing = compress(this.body, encoding).then((compressed) => {
      // Different bytes need a different strong tag (RFC 9110 8.8.3.3).
      const bytes = { body: detached(compressed), etag: `${this.etag.slice(0, -1)}-${encoding}"`, encoding };
      this.#encoded.set(encoding, bytes);
      return bytes;
    });
    this.#encoded.set(encoding, compressing);
    compressing.catch(() => this.#encoded.delete(encoding));
    return compressing;
  }
}

function detached(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

/** A strong ETag. The same bytes have the same tag on every instance. */
export const etagOf = (body: Buffer): string => `"${hash("sha1", body, "base64url")}"`;
