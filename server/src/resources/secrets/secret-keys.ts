import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { chown, link, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

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

const minKeyLength = 32;

/** One key a line, the newest first. */
export const keyFile = (dataDir: string): string => join(dataDir, "secret-key");

/** The keys of the file, which is created if needed. `link` never overwrites, so of two processes the first one wins. */
async function openKeyFile(dataDir: string): Promise<string[]> {
  const existing = readKeyFile(dataDir);
  if (existing !== null) return existing;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = keyFile(dataDir);
  const draft = await writeDraft(file, [newKey()]);
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  const created = readKeyFile(dataDir);
  if (created === null)
    throw new OperatorError(`No key could be kept in ${file}. Make the folder writable, or set SECRET_KEY.`);
  return created;
}

/** Puts a new key before those of the file. */
export const addKey = (dataDir: string): Promise<void> =>
  replaceKeys(dataDir, [newKey(), ...(readKeyFile(dataDir) ?? [])]);

/** Keeps the newest key, which seals, and the one before, which signed the portal's sessions. */
export const keepTwoKeys = (dataDir: string): Promise<void> =>
  replaceKeys(dataDir, (readKeyFile(dataDir) ?? []).slice(0, 2));

/** Null: there is no file. Throws an OperatorError for one that is damaged. */
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

/** Replaces the file at once, so that a process that is killed leaves the old one or the new one. It keeps its owner. */
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

const newKey = (): string => randomBytes(32).toString("base64");
