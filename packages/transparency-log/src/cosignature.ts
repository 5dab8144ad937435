import { createPublicKey, sign, verify } from "node:crypto";
import { keyHash, type NoteSigner, type NoteVerifier, noteText, signatureIn, signatureLine } from "./note.ts";

// C2SP tlog-cosignature with Ed25519. A witness states that at some time this checkpoint was the longest that it had
// seen, and that the checkpoint continues from all earlier checkpoints.

const messageOf = (text: string, seconds: bigint): Buffer => Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);

const timeBytes = 8;

/** Signs a checkpoint as a witness. Returns the signature line. Throws if `note` is not a note. */
export function cosign(note: string, { name, privateKey }: NoteSigner, now: Date): string {
  const text = noteText(note);
  if (text === null) throw new Error("Only a signed note can be cosigned.");
  const seconds = BigInt(Math.floor(now.getTime() / 1_000));
  const time = Buffer.alloc(timeBytes);
  time.writeBigUInt64BE(seconds);
  const id = keyHash(name, createPublicKey(privateKey), "cosignature");
  return signatureLine(name, Buffer.concat([id, time, sign(null, messageOf(text, seconds), privateKey)]));
}

/** The time at which a witness cosigned the checkpoint; null without a valid cosignature. */
export function cosignedAt(note: string, witness: NoteVerifier): Date | null {
  const text = noteText(note);
  const bytes = text === null ? null : signatureIn(note, witness, "cosignature");
  if (text === null || bytes === null || bytes.length !== timeBytes + 64) return null;
  const seconds = bytes.readBigUInt64BE();
  const isSigned = verify(null, messageOf(text, seconds), witness.publicKey, bytes.subarray(timeBytes));
  return isSigned ? new Date(Number(seconds) * 1_000) : null;
}
