import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type KeySettings, type SecretKey, SecretKeys } from "./secret-keys.ts";

/** What new secrets are sealed under. */
interface SealingKey {
  /** Null until the first secret is sealed. */
  id: string | null;
  /** 1: as releases without key ids open it. 2: with the key's id, bound to its place. */
  format: 1 | 2;
}

/** Reads it. Within a transaction, it stays as it is until that ends, so that a rotation misses no secret. */
export const readSealingKey = (db: Queryable): Promise<SealingKey> =>
  db
    .selectFrom("sealing_key")
    .select(["id", "format"])
    .$if(db.isTransaction, (query) => query.forShare())
    .executeTakeFirstOrThrow() as Promise<SealingKey>;

/** Settles on a key in a database in which nothing is sealed yet. Of two instances the first one wins. */
async function settleSealingKey(db: Queryable, id: string): Promise<void> {
  await sql`update sealing_key set id = ${id} where id is null and format = 2`.execute(db);
}

/** New secrets are sealed under this key from now on. Waits for the transactions that seal under the one before. */
export async function changeSealingKey(db: Queryable, id: string): Promise<void> {
  await sql`update sealing_key set id = ${id}, format = 2`.execute(db);
}

/** Where a sealed secret is stored. In another place it does not open. */
export interface Place {
  /** Table and column. */
  column: string;
  /** The row's id. */
  id: number | string;
}

const unbound = "v1";
const bound = "v2";
const ivBytes = 12;
const tagBytes = 16;

/** Opens a box with the keys of the settings. Instances that share a database must share the keys. */
export const openSecretBox = async (settings: KeySettings): Promise<SecretBox> =>
  new SecretBox(await SecretKeys.open(settings));

/**
 * Encrypts secrets at rest with AES-256-GCM, so that the database alone does not reveal them. A sealed secret is
 * `v2:<key id>:<base64 of IV, tag and text>`; what precedes the base64, and the place, are its associated data.
 */
export class SecretBox {
  readonly keys: SecretKeys;
  #currentId: string | null = null;

  constructor(keys: SecretKeys) {
    this.keys = keys;
  }

  /**
   * Seals under the key that the database names. Call it in the transaction that stores the secret, so that a rotation
   * finds it. Throws an OperatorError if this process lacks that key.
   */
  async seal(transaction: Queryable, place: Place, text: string): Promise<string> {
    await settleSealingKey(transaction, this.keys.oldest.id);
    const { id, format } = await readSealingKey(transaction);
    if (format === 1) return sealUnbound(this.keys.oldest, text);
    return sealUnder(this.keys.require(id as string), place, text);
  }

  /** Throws an OperatorError if the text was sealed for another place, or under a key that this process lacks. */
  open(sealed: string, place: Place): string {
    const [version, id = ""] = sealed.split(":");
    if (version === bound) {
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

  /** Reads which key seals. Throws an OperatorError that names it if this process lacks it. */
  async refresh(db: Queryable): Promise<void> {
    const { id } = await readSealingKey(db);
    if (id !== null) this.keys.require(id);
    this.#currentId = id;
  }

  /** What signs portal sessions, and after it what did and still may. As of the last `refresh`. */
  get sessionSecrets(): readonly [string, ...string[]] {
    const [current, ...others] = this.#currentFirst;
    return [current.sessions, ...others.map((key) => key.sessions)];
  }

  /** What signs links to downloads, and after it what did and still may. As of the last `refresh`. */
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

/** Seals under one key, whichever the database names. */
export function sealUnder(key: SecretKey, place: Place, text: string): string {
  return `${prefixOf(key)}${encrypt(key.sealing, text, associatedData(key, place))}`;
}

/** Whether it is sealed under this key, and bound to its place. */
export const isSealedUnder = (key: SecretKey, sealed: string): boolean => sealed.startsWith(prefixOf(key));

const sealUnbound = (key: SecretKey, text: string): string => `${unbound}:${encrypt(key.unboundSealing, text)}`;

const prefixOf = ({ id }: SecretKey): string => `${bound}:${id}:`;

const associatedData = (key: SecretKey, { column, id }: Place): Buffer =>
  Buffer.from(`${prefixOf(key)}${column}:${id}`);

function encrypt(key: Buffer, text: string, data: Buffer = Buffer.alloc(0)): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(data);
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64");
}

/** Null: another key, other associated data, or a damaged text. */
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
