import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Client } from "@beatmarket/authentication/limits.ts";
import type { CredentialSignature, NewCredential, RelyingParty } from "@beatmarket/authentication/webauthn.ts";
import { ApiError, conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Account } from "../../../access/account.ts";
import type { Queryable } from "../../../database/connect.ts";
import { findPasswordHash } from "../account-rows.ts";
import type { AuthContext, Cookies } from "../context.ts";
import { passkeyAddedMail, passkeyRemovedMail } from "../mails.ts";

const randomLength = 16;
const timeLength = 4;
const macLength = 16;
const lifeSeconds = 600;

/**
 * WebAuthn challenges, which are not stored, so that requests of strangers write nothing. A challenge consists of
 * random bytes, the time, and an HMAC over both and the purpose. Each challenge works once.
 */
class PasskeyChallenges {
  readonly #context: AuthContext;

  constructor(context: AuthContext) {
    this.#context = context;
  }

  /** Creates a challenge in base64url. `purpose` is `sign-in`, or identifies a new passkey of an account. */
  make(purpose: string): string {
    const time = Buffer.alloc(timeLength);
    time.writeUInt32BE(Math.floor(this.#context.clock.nowMs() / 1000));
    const body = Buffer.concat([randomBytes(randomLength), time]);
    return Buffer.concat([body, mac(this.#context.settings.secrets()[0], purpose, body)]).toString("base64url");
  }

  /** Whether the challenge was created in the last ten minutes for this purpose, and was not used before. */
  async use(challenge: string, purpose: string): Promise<boolean> {
    const bytes = Buffer.from(challenge, "base64url");
    if (bytes.length !== randomLength + timeLength + macLength || bytes.toString("base64url") !== challenge)
      return false;
    const body = bytes.subarray(0, randomLength + timeLength);
    const signature = bytes.subarray(randomLength + timeLength);
    const isGenuine = this.#context.settings
      .secrets()
      .some((secret) => timingSafeEqual(signature, mac(secret, purpose, body)));
    const isFresh = body.readUInt32BE(randomLength) + lifeSeconds > this.#context.clock.nowMs() / 1000;
    return isGenuine && isFresh && (await this.#context.limits.isFirstUse(challenge));
  }
}

const mac = (secret: string, purpose: string, body: Buffer): Buffer =>
  createHmac("sha256", secret).update(`passkey challenge\n${purpose}\n`).update(body).digest().subarray(0, macLength);

const maxPasskeys = 20;

/** A passkey, as the account's page shows it. */
export interface Passkey {
  id: number;
  name: string;
  /** Whether the passkey is synchronized to other devices of its owner. */
  isSynced: boolean;
  addedAt: Date;
  lastUsedAt: Date | null;
}

/** The data that a browser needs to make a passkey. */
export interface PasskeyOffer {
  challenge: string;
  rpId: string;
  /** The user handle of the account, in base64url. */
  userHandle: string;
  /** The ids of the account's passkeys. An authenticator that has one of these passkeys creates no second passkey. */
  exclude: string[];
}

/**
 * Passkeys: discoverable WebAuthn credentials with user verification. A passkey replaces both password and code.
 */
export class Passkeys {
  readonly #context: AuthContext;
  readonly #challenges: PasskeyChallenges;

  constructor(context: AuthContext) {
    this.#context = context;
    this.#challenges = new PasskeyChallenges(context);
  }

  /** The account's passkeys, oldest first. */
  async list({ id }: Account): Promise<Passkey[]> {
    const rows = await this.#context.db
      .selectFrom("portal_passkeys")
      .select(["id", "name", "is_synced", "created_at", "last_used_at"])
      .where("account_id", "=", id)
      .orderBy("id")
      .execute();
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      isSynced: row.is_synced,
      addedAt: row.created_at,
      lastUsedAt: row.last_used_at,
    }));
  }

  /** The data to create a passkey within ten minutes. Throws 409 for an account with the maximum number of passkeys. */
  async offer(account: Account, { headers }: Client): Promise<PasskeyOffer> {
    const { id: rpId } = this.#relyingParty(headers);
    const rows = await this.#context.db
      .selectFrom("portal_passkeys")
      .select("credential_id")
      .where("account_id", "=", account.id)
      .execute();
    if (rows.length >= maxPasskeys) throw tooMany();
    return {
      challenge: this.#challenges.make(purposeOf(account)),
      rpId,
      userHandle: Buffer.from(account.id).toString("base64url"),
      exclude: rows.map(({ credential_id }) => credential_id),
    };
  }

  /** Adds a passkey. Throws 400 unless it was created for an offer to the account, 409 if an account already has it. */
  async add(account: Account, name: string, credential: NewCredential, client: Client): Promise<void> {
    const { db, settings } = this.#context;
    const { readNewCredential } = await import("@beatmarket/authentication/webauthn.ts");
    const newCredential = await readNewCredential(credential, this.#relyingParty(client.headers), (challenge) =>
      this.#challenges.use(challenge, purposeOf(account)),
    );
    if (newCredential === null)
      throw invalidRequest(
        "The passkey was not created for this request, or the request has expired. Try again.",
        "attestation",
      );
    await transact(db, async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto("portal_passkeys")
        .values({
          account_id: account.id,
          credential_id: credential.credential,
          public_key: Buffer.from(newCredential.publicKey),
          counter: newCredential.counter,
          transports: credential.transports,
          name: name.trim(),
          is_synced: newCredential.isSynced,
          created_at: this.#context.now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 0n) throw conflict("An account has this passkey already.");
      await this.#context.audit(transaction, account.userId, "account.passkey_added", client, name);
    });
    this.#context.notify(account.email, passkeyAddedMail(settings.publicUrl, client.author));
  }

  /** Throws 404 if the account has no such passkey. */
  async rename(account: Account, id: number, name: string): Promise<void> {
    const { numUpdatedRows } = await this.#context.db
      .updateTable("portal_passkeys")
      .set({ name: name.trim() })
      .where("account_id", "=", account.id)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw noSuchPasskey();
  }

  /** Throws 404 if the account has no such passkey. */
  async remove(account: Account, id: number, client: Client): Promise<void> {
    const { db, settings } = this.#context;
    await transact(db, async (transaction) => {
      const removedPasskey = await transaction
        .deleteFrom("portal_passkeys")
        .where("account_id", "=", account.id)
        .where("id", "=", id)
        .returning("name")
        .executeTakeFirst();
      if (removedPasskey === undefined) throw noSuchPasskey();
      await this.#context.audit(transaction, account.userId, "account.passkey_removed", client, removedPasskey.name);
    });
    this.#context.notify(account.email, passkeyRemovedMail(settings.publicUrl, client.author));
  }

  /** The challenge for a sign-in within ten minutes. It reveals nothing about any account. */
  async challenge(client: Client): Promise<{ challenge: string; rpId: string }> {
    await this.#context.limits.countPasskey(client);
    return { challenge: this.#challenges.make("sign-in"), rpId: this.#relyingParty(client.headers).id };
  }

  /** Signs in and ends the previous session. Throws 401 for any invalid signature. */
  async signIn(signature: CredentialSignature, client: Client): Promise<Cookies> {
    const { db, limits, devices } = this.#context;
    await limits.countPasskey(client);
    const { verifySignature } = await import("@beatmarket/authentication/webauthn.ts");
    const passkey = await db
      .selectFrom("portal_passkeys as p")
      .innerJoin("portal_users as u", "u.id", "p.account_id")
      .select(["p.id", "p.name", "p.public_key", "p.counter", "u.id as account_id", "u.email"])
      .where("credential_id", "=", signature.credential)
      .executeTakeFirst();
    if (passkey === undefined) throw wrongPasskey();
    const stored = { publicKey: passkey.public_key, counter: passkey.counter };
    const counter = await verifySignature(signature, stored, this.#relyingParty(client.headers), (challenge) =>
      this.#challenges.use(challenge, "sign-in"),
    );
    if (counter === null) throw wrongPasskey();
    await db
      .updateTable("portal_passkeys")
      .set({ counter, last_used_at: this.#context.now })
      .where("id", "=", passkey.id)
      .execute();
    const { account_id: accountId, email } = passkey;
    const isKnownDevice = await devices.recognizes(email, client.headers, () => findPasswordHash(db, email));
    return this.#context.signedIn(
      { accountId, email, isKnownDevice, hasSecondFactor: true },
      client,
      `with the passkey ${passkey.name}`,
    );
  }

  /**
   * The host and origin of the page: PUBLIC_URL's, or localhost. Throws 400 for any other host, such as an IP address.
   */
  #relyingParty(headers: Headers): RelyingParty {
    const { publicUrl } = this.#context.settings;
    const origin = headers.get("origin") ?? publicUrl;
    const { hostname } = new URL(origin);
    if ((origin !== publicUrl && hostname !== "localhost") || /^\[|^[\d.]+$/.test(hostname))
      throw invalidRequest(`Passkeys belong to a host name. Open the portal at ${hostOf(publicUrl)}.`);
    return { origin, id: hostname };
  }
}

/** Removes the passkeys that an account added since a time. */
export async function forgetPasskeys(transaction: Queryable, accountId: string, since: Date): Promise<void> {
  await transaction
    .deleteFrom("portal_passkeys")
    .where("account_id", "=", accountId)
    .where("created_at", ">=", since)
    .execute();
}

const hostOf = (publicUrl: string): string =>
  /^https:\/\/(\[|[\d.]+(:|$))/.test(publicUrl) ? "https://localhost, or set PUBLIC_URL to a host name" : publicUrl;

const purposeOf = ({ id }: Account): string => `passkey of ${id}`;

const noSuchPasskey = (): ApiError => notFound("There is no such passkey; perhaps it was removed.");

const tooMany = (): ApiError => conflict(`An account has at most ${maxPasskeys} passkeys. Remove one first.`);

const wrongPasskey = (): ApiError =>
  new ApiError(
    401,
    "unauthorized",
    "Passkey refused",
    "This passkey opens no account here; perhaps it was removed. Sign in with your password.",
    { refusedBy: "passkey" },
  );
