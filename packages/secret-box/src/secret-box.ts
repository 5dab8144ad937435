import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import { type KeySettings, type SecretKey, SecretKeys } from "./secret-keys.ts";
import { tablesOf } from "./tables.ts";

/** The key and the format with which new secrets are sealed. */
interface SealingKey {
  /** The id of the key. Null in format 1, and until the first secret is sealed. */
  id: string | null;
  /** 1: the format of releases without key ids. 2: with the key's id, and bound to the place. */
  format: 1 | 2;
}

/** Reads the sealing key. Locks it until the end of a transaction, so that a rotation misses no secret. */
export const readSealingKey = (db: Queryable): Promise<SealingKey> =>
  tablesOf(db)
    .selectFrom("sealing_key")
    .select(["id", "format"])
    .$if(db.isTransaction, (query) => query.forShare())
    .executeTakeFirstOrThrow() as Promise<SealingKey>;

/** Sets the key in a database without sealed secrets. If two instances do so, the first key stays. */
async function initSealingKey(db: Queryable, id: string): Promise<void> {
  await sql`update sealing_key set id = ${id} where id is null and format = 2`.execute(db);
}

/** Changes the key for new secrets. Waits for transactions that seal under the earlier key. */
export async function changeSealingKey(db: Queryable, id: string): Promise<void> {
  await sql`update sealing_key set id = ${id}, format = 2`.execute(db);
}

/** The place of a sealed secret in the database. A secret cannot be opened in another place. */
export interface Place {
  /** Table and column. */
  column: string;
  /** The id of the row. */
  id: number | string;
}

const unboundVersion = "v1";
const boundVersion = "v2";
const ivBytes = 12;
const tagBytes = 16;

/** Opens a box with the keys of the settings. Instances that share a database must share the keys. */
export const openSecretBox = async (settings: KeySettings): Promise<SecretBox> =>
  new SecretBox(await SecretKeys.open(settings));

/**
 * Encrypts stored secrets with AES-256-GCM, so that the database alone does not reveal them. A sealed secret is
 * `v2:<key id>:<base64 of IV, tag and text>`. Its associated data are the prefix before the base64, and the place.
 */
export class SecretBox {
  readonly keys: SecretKeys;
  #currentId: string | null = null;

  constructor(keys: SecretKeys) {
    this.keys = keys;
  }

  /**
   * Seals a text under the key that the database names. Call this function in the transaction that stores the secret,
   * so that a rotation finds the secret. Throws an OperatorError if this process lacks the key.
   */
  async seal(transaction: Queryable, place: Place, text: string): Promise<string> {
    await initSealingKey(transaction, this.keys.oldest.id);
    const { id, format } = await readSealingKey(transaction);
    if (format === 1) return sealUnbound(this.keys.oldest, text);
    return sealUnder(this.keys.require(id as string), place, text);
  }

  /**
   * Opens a sealed text. Throws an OperatorError if it is damaged, or was sealed for another place or under a key that
   * this process lacks.
   */
  open(sealed: string, place: Place): string {
    const [version, id = ""] = sealed.split(":");
    if (version === boundVersion) {
      const key = this.keys.require(id);
      const text = decrypt(key.sealing, sealed, associatedData(key, place));
      if (text !== null) return text;
      throw new OperatorError(
        `${place.column} of row ${place.id} was changed, or sealed for another row, outside of this service. Give it a new secret.`,
      );
    }
    for (const key of this.keys.all) {
      const text = decrypt(key.unboundSealing, sealed);
      if (text !== null) return text;
    }
    throw new OperatorError(
      `${place.column} of row ${place.id} was sealed under another key. Set SECRET_KEY, or restore DATA_DIR/secret-key, to what it was when the secret was made.`,
    );
  }

  /** Reads the id of the sealing key. Throws an OperatorError, which names the key, if this process lacks it. */
  async refresh(db: Queryable): Promise<void> {
    const { id } = await readSealingKey(db);
    if (id !== null) this.keys.require(id);
    this.#currentId = id;
  }

  /**
   * The secret that signs portal sessions, from the sealing key of the last `refresh`; then the secrets of the other
   * keys, which are also valid.
   */
  get sessionSecrets(): readonly [string, ...string[]] {
    const [current, ...others] = this.#currentFirst;
    return [current.sessions, ...others.map((key) => key.sessions)];
  }

  /**
   * The key that signs links to downloads, from the sealing key of the last `refresh`; then those of the other keys,
   * which are also valid.
   */
  get downloadKeys(): readonly [Buffer, ...Buffer[]] {
    const [current, ...others] = this.#currentFirst;
    return [current.downloads, ...others.map((key) => key.downloads)];
  }

  get #currentFirst(): readonly [SecretKey, ...SecretKey[]] {
    const { all, oldest } = this.keys;
    const current = all.find(({ id }) => id === this.#currentId) ?? oldest;
    return [current, ...all.filter((key) => key !== current)];
  }
}

/** Seals a text under a certain key, independent of the key that the database names. */
export function sealUnder(key: SecretKey, place: Place, text: string): string {
  return `${prefixOf(key)}${encrypt(key.sealing, text, associatedData(key, place))}`;
}

/** Whether a text is sealed under this key, in the format that is bound to the place. */
export const isSealedUnder = (key: SecretKey, sealed: string): boolean => sealed.startsWith(prefixOf(key));

const sealUnbound = (key: SecretKey, text: string): string => `${unboundVersion}:${encrypt(key.unboundSealing, text)}`;

const prefixOf = ({ id }: SecretKey): string => `${boundVersion}:${id}:`;

const associatedData = (key: SecretKey, { column, id }: Place): Buffer =>
  Buffer.from(`${prefixOf(key)}${column}:${id}`);

function encrypt(key: Buffer, text: string, data: Buffer = Buffer.alloc(0)): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(data);
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64");
}

/** Returns null for another key, other associated data, or a damaged text. */
function decrypt(key: Buffer, sealed: string, data: Buffer = Buffer.alloc(0)): string | null {
  const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf(":") + 1), "base64");
  if (bytes.length < ivBytes + tagBytes) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(data).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
