import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { isSealedUnder, type Place, type SecretBox, sealUnder } from "../../secrets/secret-box.ts";
import type { SecretKey } from "../../secrets/secret-keys.ts";
import { type PublicJwk, publicJwk, signJws } from "./jws.ts";

const certificates = "certificates";

/** A key as the operator sees it. */
export interface KeyListed {
  kid: string;
  createdAt: Date;
  /** Whether this key signs: it is the newest. */
  isCurrent: boolean;
}

export const privateKeyPlace = (kid: string): Place => ({ column: "signing_keys.private_key", id: kid });

/** Signs with the newest key of the database; creates one if there is none. */
export class SigningKeys {
  readonly #db: Queryable;
  readonly #box: SecretBox;
  #opened: { kid: string; privateKey: KeyObject } | null = null;

  constructor(db: Queryable, box: SecretBox) {
    this.#db = db;
    this.#box = box;
  }

  /** A compact JWS. The newest key is looked up each time, so that every instance follows a rotation at once. */
  async sign(claims: object, now: Date, kind?: string): Promise<string> {
    const kid = (await newestKid(this.#db)) ?? (await this.#makeFirst(now));
    if (this.#opened?.kid !== kid) this.#opened = await this.#open(kid);
    return signJws(claims, this.#opened, kind);
  }

  async #makeFirst(now: Date): Promise<string> {
    return transact(this.#db, async (transaction) => {
      await lockKeys(transaction);
      return (await newestKid(transaction)) ?? (await insertKey(transaction, this.#box, now));
    });
  }

  async #open(kid: string): Promise<{ kid: string; privateKey: KeyObject }> {
    const row = await this.#db
      .selectFrom("signing_keys")
      .select("private_key")
      .where("kid", "=", kid)
      .executeTakeFirstOrThrow();
    const text = this.#box.open(row.private_key, privateKeyPlace(kid));
    return { kid, privateKey: createPrivateKey(text) };
  }
}

/**
 * Creates a key that signs from now on. Earlier keys stay in the key set, so their signatures stay valid. Returns the
 * new id.
 */
export const rotateKey = (db: Queryable, box: SecretBox, now: Date): Promise<string> =>
  transact(db, async (transaction) => {
    await lockKeys(transaction);
    return insertKey(transaction, box, now);
  });

/** All keys, the newest first. */
export async function listKeys(db: Queryable): Promise<KeyListed[]> {
  const rows = await newestFirst(db).select(["kid", "created_at"]).execute();
  return rows.map(({ kid, created_at }, index) => ({ kid, createdAt: created_at, isCurrent: index === 0 }));
}

/** The content of /.well-known/jwks.json: every public key so far, newest first. */
export async function keySet(db: Queryable): Promise<{ keys: PublicJwk[] }> {
  const rows = await newestFirst(db).select("public_jwk").execute();
  return { keys: rows.map(({ public_jwk }) => public_jwk as PublicJwk) };
}

/** Locks the keys, so that only one of two instances makes a key and the other one finds it. */
export const lockKeys = (transaction: Queryable) =>
  sql`select pg_advisory_xact_lock(hashtext('beatmarket:signing keys'))`.execute(transaction);

const newestFirst = (db: Queryable) =>
  db.selectFrom("signing_keys").where("purpose", "=", certificates).orderBy("created_at", "desc").orderBy("kid");

const newestKid = async (db: Queryable): Promise<string | undefined> =>
  (await newestFirst(db).select("kid").limit(1).executeTakeFirst())?.kid;

/** Returns its id. The caller has locked the keys. */
export async function insertKey(
  transaction: Queryable,
  box: SecretBox,
  now: Date,
  purpose = certificates,
): Promise<string> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const before = await newestFirst(transaction).select("created_at").limit(1).executeTakeFirst();
  // The newest key by this column signs, even if the clocks of two instances differ.
  const createdAt = new Date(Math.max(now.getTime(), (before?.created_at.getTime() ?? 0) + 1));
  const jwk = publicJwk(privateKey);
  const pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  await transaction
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
 * Seals the private keys under `key`, except those that are sealed under it already. A key never changes, so this needs
 * no lock. `unopened` has the ids of those that no key of this process opens; they stay unchanged.
 */
export async function resealSigningKeys(
  db: Queryable,
  box: SecretBox,
  key: SecretKey,
): Promise<{ resealed: number; unopened: string[] }> {
  const rows = await db.selectFrom("signing_keys").select(["kid", "private_key"]).orderBy("kid").execute();
  const unopened: string[] = [];
  let resealed = 0;
  for (const { kid, private_key } of rows.filter((row) => !isSealedUnder(key, row.private_key))) {
    const place = privateKeyPlace(kid);
    try {
      const sealed = sealUnder(key, place, box.open(private_key, place));
      await db.updateTable("signing_keys").set({ private_key: sealed }).where("kid", "=", kid).execute();
      resealed++;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      unopened.push(kid);
    }
  }
  return { resealed, unopened };
}
