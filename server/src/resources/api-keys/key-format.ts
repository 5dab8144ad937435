import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefix = "bm_";
const randomLength = 40;
const checksumLength = 6;
const bodyLength = prefix.length + randomLength;
const keyPattern = /^bm_[0-9A-Za-z]{46}$/;

/**
 * A new API key: `bm_`, 40 random base62 characters (238 bits), then the CRC-32 of those 43 characters as six base62
 * digits (0-9, A-Z, a-z), most significant first.
 */
export function generateKey(): string {
  let body = prefix;
  for (let i = 0; i < randomLength; i++) body += base62[randomInt(base62.length)];
  return body + checksum(body);
}

/** Checks form and checksum. A CRC-32 detects any single wrong character and any swap of two adjacent ones. */
export const isWellFormed = (key: string): boolean =>
  keyPattern.test(key) && checksum(key.slice(0, bodyLength)) === key.slice(bodyLength);

/** The stored hash of a key. A key has 238 random bits, so it needs neither a slow hash nor a salt. */
export const sha256 = (key: string): Buffer => hash("sha256", key, "buffer");

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let i = 0; i < checksumLength; i++) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
