import { hash } from "node:crypto";

/** Size of a hash (SHA-256) in bytes. */
export const hashBytes = 32;

const sha256 = (...parts: Uint8Array[]): Buffer => hash("sha256", Buffer.concat(parts), "buffer");

const leafPrefix = Buffer.of(0);
const nodePrefix = Buffer.of(1);

/** RFC 6962, section 2.1: the hash of a leaf. */
export const leafHash = (entry: Uint8Array): Buffer => sha256(leafPrefix, entry);

/** RFC 6962, section 2.1: the hash of an inner node. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(nodePrefix, left, right);

/** The root of a tree without leaves. */
export const emptyRoot: Buffer = sha256();
