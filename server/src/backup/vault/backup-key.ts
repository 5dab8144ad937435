import { hkdfSync } from "node:crypto";

const derive = (key: string | Buffer, salt: Buffer | string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, `beatmarket backup ${purpose}`, bytes));

/** The operator's key (BACKUP_KEY), from which each file of a vault gets one of its own. */
export class BackupKey {
  /** Tells keys apart, and nothing else about them: 16 hex digits. */
  readonly id: string;
  readonly #key: Buffer;

  constructor(text: string) {
    this.id = derive(text, "", "id", 8).toString("hex");
    this.#key = derive(text, "", "master", 32);
  }

  /** The AES-256 key of the one file that has this salt. */
  forFile(salt: Buffer): Buffer {
    return derive(this.#key, salt, "file", 32);
  }
}
