import { createHash, hkdfSync } from "node:crypto";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { keyFile, openKeyFile, readKeyFile } from "./key-file.ts";

/** Where the keys come from: the settings, or else the file in the data folder. */
export interface KeySettings {
  dataDir: string;
  /** SECRET_KEY. Undefined: `DATA_DIR/secret-key`. */
  secretKey: string | undefined;
  /** SECRET_KEY_PREVIOUS. */
  secretKeyPrevious?: string | undefined;
}

/** What is derived from one key: a subkey for each purpose, and a public id. None of them reveals the key. */
export interface SecretKey {
  /** 12 hexadecimal digits. */
  id: string;
  /** AES-256. */
  sealing: Buffer;
  /** AES-256, for what was sealed before keys had ids. */
  unboundSealing: Buffer;
  /** Signs the cookies of portal sessions. */
  sessions: string;
  /** Signs the links to downloads. */
  downloads: Buffer;
}

/** The keys of this process, newest first. Those of a file are read again when one is requested that it lacks. */
export class SecretKeys {
  readonly #settings: KeySettings;
  #keys: readonly SecretKey[];

  private constructor(settings: KeySettings, keys: readonly SecretKey[]) {
    this.#settings = settings;
    this.#keys = keys;
  }

  /** Uses SECRET_KEY, or else the key file (mode 0600), which the first process creates. */
  static async open(settings: KeySettings): Promise<SecretKeys> {
    const { dataDir, secretKey, secretKeyPrevious } = settings;
    const texts =
      secretKey === undefined
        ? await openKeyFile(dataDir)
        : [secretKey, ...(secretKeyPrevious === undefined ? [] : [secretKeyPrevious])];
    return new SecretKeys(settings, texts.map(deriveKey));
  }

  get all(): readonly SecretKey[] {
    return this.#keys;
  }

  get newest(): SecretKey {
    return this.#keys[0] as SecretKey;
  }

  get oldest(): SecretKey {
    return this.#keys.at(-1) as SecretKey;
  }

  /** Throws an OperatorError that names the key when this process does not have it. */
  require(id: string): SecretKey {
    if (!this.#has(id)) this.reload();
    const key = this.#keys.find((key) => key.id === id);
    if (key === undefined) throw this.#missing(id);
    return key;
  }

  /** Reads the key file again, after another process has changed it. */
  reload(): void {
    const { dataDir, secretKey } = this.#settings;
    if (secretKey === undefined) this.#keys = (readKeyFile(dataDir) ?? []).map(deriveKey);
  }

  #has(id: string): boolean {
    return this.#keys.some((key) => key.id === id);
  }

  #missing(id: string): OperatorError {
    const { dataDir, secretKey } = this.#settings;
    const ids = this.#keys.map((key) => key.id).join(" and ");
    return new OperatorError(
      secretKey === undefined
        ? `The secrets in the database are sealed under the key ${id}, and ${keyFile(dataDir)} has ${ids || "none"}. Restore the file, or set SECRET_KEY to that key.`
        : `The secrets in the database are sealed under the key ${id}, and this process has ${ids}. Give the key that is missing as SECRET_KEY, or as SECRET_KEY_PREVIOUS during a rotation.`,
    );
  }
}

/** HKDF (RFC 5869) with a purpose for each subkey. */
function deriveKey(text: string): SecretKey {
  const derive = (purpose: string, bytes = 32) =>
    Buffer.from(hkdfSync("sha256", text, "", `beatmarket ${purpose}`, bytes));
  return {
    id: derive("key id", 6).toString("hex"),
    sealing: derive("sealing"),
    unboundSealing: createHash("sha256").update("beatmarket secret box\0").update(text).digest(),
    sessions: derive("portal sessions").toString("base64"),
    downloads: derive("download links"),
  };
}
