import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { chown, link, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

/** The source of the keys: the settings if they have a key, otherwise the file in the data folder. */
export interface KeySettings {
  dataDir: string;
  /** SECRET_KEY. If it is undefined, `DATA_DIR/secret-key` has the keys. */
  secretKey: string | undefined;
  /** SECRET_KEY_PREVIOUS. */
  secretKeyPrevious?: string | undefined;
}

/** The values that are derived from one key: a subkey for each purpose, and a public id. They do not reveal the key. */
export interface SecretKey {
  /** 12 hexadecimal digits. */
  id: string;
  /** AES-256. */
  sealing: Buffer;
  /** AES-256, for secrets that were sealed before keys had ids. */
  unboundSealing: Buffer;
  /** Signs the cookies of portal sessions. */
  sessions: string;
  /** Signs the links to downloads. */
  downloads: Buffer;
}

/** The keys of this process, newest first. Reads the key file again when an unknown key is requested. */
export class SecretKeys {
  readonly #settings: KeySettings;
  #keys: readonly SecretKey[];

  private constructor(settings: KeySettings, keys: readonly SecretKey[]) {
    this.#settings = settings;
    this.#keys = keys;
  }

  /** Uses SECRET_KEY, or without it the key file (mode 0600), which the first process creates. */
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

  /** Returns a key. Throws an OperatorError, which names the key, if this process lacks it. */
  require(id: string): SecretKey {
    if (!this.#has(id)) this.reload();
    const key = this.#keys.find((key) => key.id === id);
    if (key === undefined) throw this.#missing(id);
    return key;
  }

  /** Reads the key file again, since another process may have changed it. Does nothing if SECRET_KEY is set. */
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

/** Derives the subkeys with HKDF (RFC 5869). Each has its own purpose. */
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

const minKeyLength = 32;

/** Returns the path of the key file. The file has one key per line, newest first. */
export const keyFile = (dataDir: string): string => join(dataDir, "secret-key");

/**
 * Returns the keys of the file. Creates the file if necessary. `link` does not overwrite, so the file of the first
 * process stays.
 */
async function openKeyFile(dataDir: string): Promise<string[]> {
  const existing = readKeyFile(dataDir);
  if (existing !== null) return existing;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = keyFile(dataDir);
  const draft = await writeDraft(file, [generateKey()]);
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  const created = readKeyFile(dataDir);
  if (created === null)
    throw new OperatorError(`No key could be stored in ${file}. Make the folder writable, or set SECRET_KEY.`);
  return created;
}

/** Adds a new key as the first line of the file. */
export const addKey = (dataDir: string): Promise<void> =>
  replaceKeys(dataDir, [generateKey(), ...(readKeyFile(dataDir) ?? [])]);

/** Removes all keys except the newest, which seals, and the previous, which has signed sessions of the portal. */
export const keepTwoKeys = (dataDir: string): Promise<void> =>
  replaceKeys(dataDir, (readKeyFile(dataDir) ?? []).slice(0, 2));

/** Returns null if there is no file. Throws an OperatorError for a damaged file. */
function readKeyFile(dataDir: string): string[] | null {
  const file = keyFile(dataDir);
  try {
    const keys = readFileSync(file, "utf8").trim().split(/\s+/);
    if (keys.some((key) => key.length < minKeyLength))
      throw new OperatorError(
        `${file} is damaged. Restore it from a backup, or set SECRET_KEY; the secrets sealed under it need it.`,
      );
    return keys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Replaces the file atomically, so that a crash leaves the old or the new file. The owner of the file stays. */
async function replaceKeys(dataDir: string, keys: readonly string[]): Promise<void> {
  const file = keyFile(dataDir);
  const { uid, gid } = await stat(file);
  const draft = await writeDraft(file, keys);
  if (process.getuid?.() === 0) await chown(draft, uid, gid);
  await rename(draft, file);
}

async function writeDraft(file: string, keys: readonly string[]): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${keys.join("\n")}\n`, { mode: 0o600, flush: true });
  return draft;
}

const generateKey = (): string => randomBytes(32).toString("base64");
