import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";

// C2SP signed-note: a text, an empty line, and signature lines. Keys are Ed25519 (algorithm 1).

const algorithm = Buffer.of(1);

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

/** The verifier key as programs exchange it: `name+hash+key`. */
export const verifierKey = ({ name, publicKey }: NoteVerifier): string =>
  `${name}+${keyHash(name, publicKey).toString("hex")}+${Buffer.concat([algorithm, rawKey(publicKey)]).toString("base64")}`;

/** Throws if the text is not a verifier key of Ed25519. */
export function parseVerifierKey(text: string): NoteVerifier {
  const [, name = "", keyId, key = ""] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(key, "base64");
  if (bytes.length !== 33 || bytes[0] !== 1) throw new Error("This is no verifier key of Ed25519: NAME+HASH+KEY.");
  const x = bytes.subarray(1).toString("base64url");
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  if (keyHash(name, publicKey).toString("hex") !== keyId) throw new Error("The hash of the verifier key is wrong.");
  return { name, publicKey };
}

/** `text` must end in a line feed. */
export function signNote(text: string, signers: readonly NoteSigner[]): string {
  const lines = signers.map(({ name, privateKey }) => {
    const signature = sign(null, Buffer.from(text), privateKey);
    const bytes = Buffer.concat([keyHash(name, createPublicKey(privateKey)), signature]);
    return `— ${name} ${bytes.toString("base64")}\n`;
  });
  return `${text}\n${lines.join("")}`;
}

/**
 * Returns the text of a note that this key has signed. Null if it has not, or if this is not a note. Ignores other
 * signatures.
 */
export function openNote(note: string, { name, publicKey }: NoteVerifier): string | null {
  const end = note.lastIndexOf("\n\n");
  if (end === -1 || !note.endsWith("\n")) return null;
  const text = note.slice(0, end + 1);
  const id = keyHash(name, publicKey);
  for (const line of note.slice(end + 2, -1).split("\n")) {
    const [, signer, encoded = ""] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    const bytes = Buffer.from(encoded, "base64");
    if (signer !== name || !bytes.subarray(0, 4).equals(id)) continue;
    return verify(null, Buffer.from(text), publicKey, bytes.subarray(4)) ? text : null;
  }
  return null;
}

const rawKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");

const keyHash = (name: string, key: KeyObject): Buffer =>
  hash("sha256", Buffer.concat([Buffer.from(`${name}\n`), algorithm, rawKey(key)]), "buffer").subarray(0, 4);
