import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { NoteSigner } from "@beatmarket/transparency-log/note.ts";
import type { Queryable } from "../../../database/connect.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import { insertKey, lockKeys, privateKeyPlace } from "../signing/keys.ts";

const purpose = "license log";

/** The key that signs checkpoints; creates one if there is none. It never changes: auditors identify the log by it. */
export class LogKey {
  readonly #db: Queryable;
  readonly #box: SecretBox;
  #privateKey: KeyObject | null = null;

  constructor(db: Queryable, box: SecretBox) {
    this.#db = db;
    this.#box = box;
  }

  async signer(origin: string, now: Date): Promise<NoteSigner> {
    this.#privateKey ??= (await this.#find()) ?? (await this.#make(now));
    return { name: origin, privateKey: this.#privateKey };
  }

  /** Null: no checkpoint was signed yet. */
  async publicKey(): Promise<KeyObject | null> {
    this.#privateKey ??= await this.#find();
    return this.#privateKey && createPublicKey(this.#privateKey);
  }

  async #make(now: Date): Promise<KeyObject> {
    await transact(this.#db, async (transaction) => {
      await lockKeys(transaction);
      const key = await select(transaction).executeTakeFirst();
      if (key === undefined) await insertKey(transaction, this.#box, now, purpose);
    });
    return (await this.#find()) as KeyObject;
  }

  async #find(): Promise<KeyObject | null> {
    const row = await select(this.#db).executeTakeFirst();
    return row === undefined ? null : createPrivateKey(this.#box.open(row.private_key, privateKeyPlace(row.kid)));
  }
}

const select = (db: Queryable) =>
  db.selectFrom("signing_keys").select(["kid", "private_key"]).where("purpose", "=", purpose);
