import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";

// C2SP signed-note: a text, an empty line, and signature lines. Keys are Ed25519.

/** The byte in a key for the kind of its signatures: on notes, or on cosigned checkpoints (cosignature.ts). */
const algorithms = { note: Buffer.of(1), cosignature: Buffer.of(4) };
export type KeyKind = keyof typeof algorithms;

/** The key that verifies signatures under this name. */
export interface NoteVerifier {
  name: string;
  publicKey: KeyObject;
}

/** The key that signs under this name. */
export interface NoteSigner {
  name: string;
  privateKey: KeyObject;
}

/** Formats a verifier key as programs exchange it: `name+hash+key`. */
export const verifierKey = ({ name, publicKey }: NoteVerifier, kind: KeyKind = "note"): string =>
  `${name}+${keyHash(name, publicKey, kind).toString("hex")}+${Buffer.concat([algorithms[kind], rawKey(publicKey)]).toString("base64")}`;

/** Throws if the text is not an Ed25519 verifier key of this kind. */
export function parseVerifierKey(text: string, kind: KeyKind = "note"): NoteVerifier {
  const [, name = "", keyId, key = ""] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(key, "base64");
  if (bytes.length !== 33 || bytes[0] !== algorithms[kind][0])
    throw new Error(`This is not a verifier key of Ed25519 for a ${kind}: NAME+HASH+KEY.`);
  const x = bytes.subarray(1).toString("base64url");
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  if (keyHash(name, publicKey, kind).toString("hex") !== keyId)
    throw new Error("The hash of the verifier key is wrong.");
  return { name, publicKey };
}

/** `text` must end in a line feed. */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  const lines = signers.map(({ name, privateKey }) => {
    const signature = sign(null, Buffer.from(text), privateKey);
    const bytes = Buffer.concat([keyHash(name, createPublicKey(privateKey)), signature]);
    return signatureLine(name, bytes);
  });
  return `${text}\n${lines.join("")}`;
}

/**
 * Returns the text of a note. Null if the note has no valid signature of this key, or if it is not a note. Ignores
 * other signatures.
 */
export function openNote(note: string, verifier: NoteVerifier): string | null {
  const text = noteText(note);
  const signature = text === null ? null : signatureIn(note, verifier);
  if (text === null || signature === null) return null;
  return verify(null, Buffer.from(text), verifier.publicKey, signature) ? text : null;
}

/** The signed part of a note; null if the text is not a note. */
export function noteText(note: string): string | null {
  const end = note.lastIndexOf("\n\n");
  return end === -1 || !note.endsWith("\n") ? null : note.slice(0, end + 1);
}

/** The first signature of a name and key, without the key's hash; null if there is none. */
export function signatureIn(note: string, { name, publicKey }: NoteVerifier, kind: KeyKind = "note"): Buffer | null {
  const id = keyHash(name, publicKey, kind);
  for (const line of note.slice(noteText(note)?.length ?? 0).split("\n")) {
    const [, signer, encoded = ""] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    const bytes = Buffer.from(encoded, "base64");
    if (signer === name && bytes.subarray(0, 4).equals(id)) return bytes.subarray(4);
  }
  return null;
}

export const signatureLine = (name: string, bytes: Buffer): string => `— ${name} ${bytes.toString("base64")}\n`;

const rawKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");

export const keyHash = (name: string, key: KeyObject, kind: KeyKind = "note"): Buffer =>
  hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), algorithms[kind], rawKey(key)]), "buffer").subarray(0, 4);
