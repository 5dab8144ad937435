import { createHash, type Hash } from "node:crypto";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";

/** The algorithms of Upload-Checksum. tus requires at least SHA-1. */
const digestBytes = { sha1: 20, sha256: 32, md5: 16 } as const;
type Algorithm = keyof typeof digestBytes;
export const checksumAlgorithms = Object.keys(digestBytes) as Algorithm[];

/** The checksum that a client declared for the body of a request. */
export class Checksum {
  readonly #algorithm: Algorithm;
  readonly #expected: Buffer;
  readonly #hash: Hash;

  constructor(algorithm: Algorithm, expected: Buffer) {
    this.#algorithm = algorithm;
    this.#expected = expected;
    this.#hash = createHash(algorithm);
  }

  update(chunk: Buffer): void {
    this.#hash.update(chunk);
  }

  /** Throws 460 unless the body has the declared checksum. */
  verify(): void {
    if (this.#hash.digest().equals(this.#expected)) return;
    throw new ApiError(
      460,
      "invalid_request",
      "Checksum mismatch",
      `The body does not have the ${this.#algorithm} checksum of Upload-Checksum, so nothing of it was kept. Send it again from the same offset.`,
      { refusedBy: "parameter:Upload-Checksum" },
    );
  }
}

/**
 * Parses Upload-Checksum, `sha256 <Base64>`; null without the header. Throws 400 for an unknown algorithm, or for a
 * text that cannot be a digest of the algorithm.
 */
export function readChecksum(header: string | undefined): Checksum | null {
  if (header === undefined) return null;
  const [algorithm = "", value = "", ...others] = header.trim().split(/ +/);
  if (!isAlgorithm(algorithm))
    throw invalidRequest(
      `Upload-Checksum names the algorithm ${quoted(algorithm)}; it must be one of ${checksumAlgorithms.join(", ")}.`,
      "Upload-Checksum",
    );
  const expected = Buffer.from(value, "base64");
  if (others.length > 0 || expected.length !== digestBytes[algorithm])
    throw invalidRequest(
      `Upload-Checksum must be ${algorithm}, a space, and the digest of ${digestBytes[algorithm]} bytes in Base64.`,
      "Upload-Checksum",
    );
  return new Checksum(algorithm, expected);
}

const isAlgorithm = (name: string): name is Algorithm => Object.hasOwn(digestBytes, name);
