import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;

const derive = (key: string | Buffer, salt: Buffer | string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, `beatmarket backup ${purpose}`, bytes));

/** The operator's key (BACKUP_KEY), which encrypts the data keys of a vault and authenticates its identity. */
export class BackupKey {
  /** 16 hex digits that identify the key without revealing it. */
  readonly id: string;
  readonly #key: Buffer;
  readonly #authenticationKey: Buffer;

  constructor(text: string) {
    this.id = derive(text, "", "id", 8).toString("hex");
    this.#key = derive(text, "", "master", 32);
    this.#authenticationKey = derive(text, "", "authentication", 32);
  }

  /** Computes the authentication code of a text (HMAC-SHA-256, hex). */
  authenticate(text: string): string {
    return createHmac("sha256", this.#authenticationKey).update(text).digest("hex");
  }

  /** Encrypts a data key and authenticates it with `context` (AES-256-GCM). Returns IV, tag and key in base64. */
  seal({ bytes }: DataKey, context: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.#key, iv).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
  }

  /** Decrypts the data key of this id; null if the text is not a result of `seal`. */
  open(id: string, text: string, context: string): DataKey | null {
    const bytes = Buffer.from(text, "base64");
    const iv = bytes.subarray(0, ivBytes);
    const tag = bytes.subarray(ivBytes, ivBytes + tagBytes);
    const sealed = bytes.subarray(ivBytes + tagBytes);
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, iv, { authTagLength: tagBytes })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      return new DataKey(id, Buffer.concat([decipher.update(sealed), decipher.final()]));
    } catch {
      return null;
    }
  }
}

/** A key of a vault, from which the key of each file is derived. */
export class DataKey {
  /** 16 hex digits. */
  readonly id: string;
  readonly bytes: Buffer;

  constructor(id = randomBytes(8).toString("hex"), bytes = randomBytes(32)) {
    this.id = id;
    this.bytes = bytes;
  }

  /** Derives the AES-256 key of the file with this salt. */
  forFile(salt: Buffer): Buffer {
    return derive(this.bytes, salt, "file", 32);
  }
}
