import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { isSealedUnder, type Place, type SecretBox, sealUnder } from "@beatmarket/secret-box/secret-box.ts";
import type { SecretKey } from "@beatmarket/secret-box/secret-keys.ts";
import { sql } from "kysely";
import { type PublicJwk, publicJwk, signJws } from "./jws.ts";
import { tablesOf } from "./tables.ts";

const certificatePurpose = "certificates";

/** A key in the operator's list. */
export interface ListedKey {
  kid: string;
  createdAt: Date;
  /** Whether this key signs. The newest key signs. */
  isCurrent: boolean;
}

export const privateKeyPlace = (kid: string): Place => ({ column: "signing_keys.private_key", id: kid });

/** Signs with the newest key of the database; creates one if there is none. */
export class SigningKeys {
  readonly #db: Queryable;
  readonly #box: SecretBox;
  #openedKey: { kid: string; privateKey: KeyObject } | null = null;

  constructor(db: Queryable, box: SecretBox) {
    this.#db = db;
    this.#box = box;
  }

  /**
   * Returns a compact JWS whose header has this `typ`. Reads the newest key id each time, so that every instance
   * follows a rotation at once.
   */
  async sign(claims: object, type: string, now: Date): Promise<string> {
    const kid = (await newestKid(this.#db)) ?? (await this.#createFirst(now));
    if (this.#openedKey?.kid !== kid) this.#openedKey = await this.#open(kid);
    return signJws(claims, this.#openedKey, type);
  }

  async #createFirst(now: Date): Promise<string> {
    return transact(this.#db, async (transaction) => {
      await lockKeys(transaction);
      return (await newestKid(transaction)) ?? (await insertKey(transaction, this.#box, now));
    });
  }

  async #open(kid: string): Promise<{ kid: string; privateKey: KeyObject }> {
    const row = await tablesOf(this.#db)
      .selectFrom("signing_keys")
      .select("private_key")
      .where("kid", "=", kid)
      .executeTakeFirstOrThrow();
    const text = this.#box.open(row.private_key, privateKeyPlace(kid));
    return { kid, privateKey: createPrivateKey(text) };
  }
}

/**
 * Creates a key, which signs from now on, and returns its id. Earlier keys stay in the key set, so their signatures
 * stay valid.
 */
export const rotateKey = (db: Queryable, box: SecretBox, now: Date): Promise<string> =>
  transact(db, async (transaction) => {
    await lockKeys(transaction);
    return insertKey(transaction, box, now);
  });

/** Returns the current key and all earlier keys of certificates, newest first. */
export async function listKeys(db: Queryable): Promise<ListedKey[]> {
  const rows = await newestFirst(db).select(["kid", "created_at"]).execute();
  return rows.map(({ kid, created_at }, index) => ({ kid, createdAt: created_at, isCurrent: index === 0 }));
}

/** Returns the content of /.well-known/jwks.json: all public keys of certificates, newest first. */
export async function keySet(db: Queryable): Promise<{ keys: PublicJwk[] }> {
  const rows = await newestFirst(db).select("public_jwk").execute();
  return { keys: rows.map(({ public_jwk }) => public_jwk as PublicJwk) };
}

/** Locks the keys. So if two instances need a key at the same time, one creates it, and the other reads it. */
export const lockKeys = (transaction: Queryable) =>
  sql`select pg_advisory_xact_lock(hashtext('beatmarket:signing keys'))`.execute(transaction);

const newestFirst = (db: Queryable) =>
  tablesOf(db)
    .selectFrom("signing_keys")
    .where("purpose", "=", certificatePurpose)
    .orderBy("created_at", "desc")
    .orderBy("kid");

const newestKid = async (db: Queryable): Promise<string | undefined> =>
  (await newestFirst(db).select("kid").limit(1).executeTakeFirst())?.kid;

/** Creates a key and returns its id. The caller has locked the keys. */
export async function insertKey(
  transaction: Queryable,
  box: SecretBox,
  now: Date,
  purpose = certificatePurpose,
): Promise<string> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const newest = await newestFirst(transaction).select("created_at").limit(1).executeTakeFirst();
  // The key with the newest `created_at` signs. A new key must therefore be later than all others, even if this
  // instance's clock is behind.
  const createdAt = new Date(Math.max(now.getTime(), (newest?.created_at.getTime() ?? 0) + 1));
  const jwk = publicJwk(privateKey);
  const pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  await tablesOf(transaction)
    .insertInto("signing_keys")
    .values({
      kid: jwk.kid,
      public_jwk: JSON.stringify(jwk),
      private_key: await box.seal(transaction, privateKeyPlace(jwk.kid), pem),
      created_at: createdAt,
      purpose,
    })
    .execute();
  return jwk.kid;
}

/**
 * Seals the private keys under `key`, except those that are already sealed under `key`. A private key never changes, so
 * no lock is necessary. `unopened` has the ids of the private keys that this process cannot open; they stay unchanged.
 */
export async function resealSigningKeys(
  db: Queryable,
  box: SecretBox,
  key: SecretKey,
): Promise<{ resealed: number; unopened: string[] }> {
  const rows = await tablesOf(db).selectFrom("signing_keys").select(["kid", "private_key"]).orderBy("kid").execute();
  const unopened: string[] = [];
  let resealed = 0;
  for (const { kid, private_key } of rows.filter((row) => !isSealedUnder(key, row.private_key))) {
    const place = privateKeyPlace(kid);
    try {
      const sealed = sealUnder(key, place, box.open(private_key, place));
      await tablesOf(db).updateTable("signing_keys").set({ private_key: sealed }).where("kid", "=", kid).execute();
      resealed++;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      unopened.push(kid);
    }
  }
  return { resealed, unopened };
}
