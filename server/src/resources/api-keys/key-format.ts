import { hash, hkdfSync } from "node:crypto";
import { crc32 } from "node:zlib";
import { randomInt } from "../../access/random-source.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "bm_";
const randomLength = 40;
const checksumLength = 6;
const keyPattern = /^bm_[0-9A-Za-z]{46}$/;
const testKeyPattern = /^bm_test_([0-9a-z]{16})_[0-9A-Za-z]{46}$/;

/**
 * A new API key: `bm_`, 40 random base62 characters (238 bits), then the CRC-32 of all characters before it as six
 * base62 digits (0-9, A-Z, a-z), most significant first. A test key begins with `bm_test_`, the id of its sandbox and
 * `_` instead of `bm_`.
 */
export function generateKey(sandboxId: string | null = null): string {
  let body = sandboxId === null ? prefix : `bm_test_${sandboxId}_`;
  for (let i = 0; i < randomLength; i++) body += base62[randomInt(base62.length)];
  return body + checksum(body);
}

/** Derives a key from a secret of the service and a subject, so that the service can derive the key again. */
export function derivedKey(secret: string, subject: string): string {
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", `API key of ${subject}`, 2 * randomLength));
  let body = prefix;
  for (let i = 0; i < randomLength; i++) body += base62[bytes.readUInt16BE(2 * i) % base62.length];
  return body + checksum(body);
}

/** Checks form and checksum. A CRC-32 detects any single wrong character and any swap of two adjacent ones. */
export const isWellFormed = (key: string): boolean =>
  (keyPattern.test(key) || testKeyPattern.test(key)) &&
  checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength);

/** The sandbox of a test key; null for any other text. */
export const sandboxOfKey = (key: string): string | null =>
  isWellFormed(key) ? (testKeyPattern.exec(key)?.[1] ?? null) : null;

/** The stored hash of a key. A key has 238 random bits, so it needs neither a slow hash nor a salt. */
export const sha256 = (key: string): Buffer => hash("sha256", key, "buffer");

function checksum(body: string): string {
  let value = crc32(body);
  let digits = "";
  for (let i = 0; i < checksumLength; i++) {
    digits = base62[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
