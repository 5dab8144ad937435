import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { keyHash, type NoteSigner } from "./note.ts";

// The private key of a witness in a file, in the format of Go's note package: PRIVATE+KEY+NAME+HASH+KEY.

/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");
/** The kind of a key for cosignatures (note.ts). */
const algorithm = 4;

/**
 * Reads the key, or creates it with this name if the file does not exist. Throws an OperatorError for a file without a
 * key of a witness, and for a new key without a valid name.
 */
export async function openSigningKey(file: string, name: string | undefined): Promise<NoteSigner> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw new OperatorError(`${file} cannot be read (${error.code}).`);
  });
  if (text !== null) return parseKey(file, text);
  if (name === undefined || !/^[^\s+]+$/.test(name))
    throw new OperatorError(
      `${file} does not exist; --name takes the name of the new witness, such as witness.example/w1.`,
    );
  const { privateKey } = generateKeyPairSync("ed25519");
  const seed = privateKey.export({ format: "der", type: "pkcs8" }).subarray(pkcs8Head.length);
  const id = keyHash(name, createPublicKey(privateKey), "cosignature").toString("hex");
  const key = Buffer.concat([Buffer.of(algorithm), seed]).toString("base64");
  await writeFile(file, `PRIVATE+KEY+${name}+${id}+${key}\n`, { mode: 0o600, flag: "wx" });
  return { name, privateKey };
}

function parseKey(file: string, text: string): NoteSigner {
  const [, name = "", key = ""] = /^PRIVATE\+KEY\+([^\s+]+)\+[0-9a-f]{8}\+([A-Za-z0-9+/=]+)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(key, "base64");
  if (bytes.length !== 33 || bytes[0] !== algorithm)
    throw new OperatorError(`${file} is not the key of a witness: PRIVATE+KEY+NAME+HASH+KEY, of Ed25519.`);
  const der = Buffer.concat([pkcs8Head, bytes.subarray(1)]);
  return { name, privateKey: createPrivateKey({ key: der, format: "der", type: "pkcs8" }) };
}
