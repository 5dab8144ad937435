import { createHmac, timingSafeEqual } from "node:crypto";
import {
  addAuthenticator,
  authenticatorPlace,
  countRecoveryCodes,
  findAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
  useRecoveryCode,
  useStep,
} from "@beatmarket/authentication/authenticator-rows.ts";
import type { Client } from "@beatmarket/authentication/limits.ts";
import { newRecoveryCode, newTotpSecret, stepOfCode, totpUri } from "@beatmarket/authentication/totp.ts";
import { ApiError, conflict, invalidRequest, notFound } from "@beatmarket/foundation/errors.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { encode } from "uqr";
import type { Account } from "../../../access/account.ts";
import type { Queryable } from "../../../database/connect.ts";
import { userIdOf } from "../account-rows.ts";
import type { AuthContext } from "../context.ts";
import {
  authenticatorAddedMail,
  authenticatorRemovedMail,
  recoveryCodesMail,
  recoveryCodeUsedMail,
  wrongCodesMail,
} from "../mails.ts";

/** A proposal is valid for an hour, which is enough time to install an app. */
const proposalSeconds = 3_600;
const recoveryCodes = 10;

/** The challenge (RFC 9470) of a sign-in that requires a code. On this challenge, the web app asks for the code. */
export const codeChallenge = 'Session error="insufficient_user_authentication", acr_values="otp"';

/** A proposed authenticator, and the proof that this service proposed it to the account. */
export interface ProposedAuthenticator {
  secret: string;
  recoveryCodes: string[];
  proof: string;
}

/** A QR code. `path` is the path of an SVG image with the dark squares; `size` is the width, with the quiet zone. */
export interface QrCode {
  size: number;
  path: string;
}

/**
 * Authenticator apps (RFC 6238) and recovery codes. A proposed authenticator is added only after a code confirms it, so
 * that a person who closes the page is not locked out.
 */
export class Authenticators {
  readonly #context: AuthContext;

  constructor(context: AuthContext) {
    this.#context = context;
  }

  /** The authenticator of an account; null if the account has no authenticator. */
  async find({ id }: Account): Promise<{ addedAt: Date; recoveryCodesLeft: number } | null> {
    const { db } = this.#context;
    const authenticator = await findAuthenticator(db, id);
    return authenticator && { addedAt: authenticator.createdAt, recoveryCodesLeft: await countRecoveryCodes(db, id) };
  }

  /** Proposes an authenticator with recovery codes. Stores nothing. Throws 409 if the account has an authenticator. */
  async propose(account: Account): Promise<ProposedAuthenticator & { uri: string; qr: QrCode }> {
    if ((await this.find(account)) !== null) throw hasOne();
    const secret = newTotpSecret();
    const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
    const issuedAt = String(Math.floor(this.#context.clock.nowMs() / 1000));
    const proof = `${issuedAt}.${this.#sign(this.#context.settings.secrets()[0], account, secret, codes, issuedAt)}`;
    const uri = totpUri(secret, account.email, this.#context.settings.siteName);
    return { secret, recoveryCodes: codes, proof, uri, qr: qrCode(uri) };
  }

  /**
   * Adds a proposed authenticator. A code proves that an app has the secret. Throws 400 for a wrong code or a proposal
   * that this service did not make in the last hour, 409 if the account already has an authenticator.
   */
  async confirm(account: Account, proposed: ProposedAuthenticator, code: string, client: Client): Promise<void> {
    const { db, clock, secrets, limits, settings } = this.#context;
    const { secret, recoveryCodes: codes, proof } = proposed;
    if (!this.#isGenuine(account, proposed))
      throw invalidRequest(`The proposal ${proof.slice(0, 20)} is not one of the last hour. Begin again.`, "proof");
    await limits.countSessionPassword(account.userId);
    const step = stepOfCode(secret, code.replaceAll(" ", ""), clock.nowMs());
    if (step === null)
      throw invalidRequest(
        "This is not the code that the app shows now. If it was, set the clock of the device that has the app.",
        "code",
      );
    await transact(db, async (transaction) => {
      const sealed = await secrets.seal(transaction, authenticatorPlace(account.id), secret);
      const authenticator = { accountId: account.id, sealed, lastStep: step, recoveryCodes: codes };
      if (!(await addAuthenticator(transaction, { ...authenticator, now: this.#context.now }))) throw hasOne();
      await this.#context.audit(transaction, account.userId, "account.authenticator_added", client);
    });
    await limits.forgetSessionPasswords(account.userId);
    this.#context.notify(account.email, authenticatorAddedMail(settings.publicUrl, client.author));
  }

  /** Removes the authenticator and its recovery codes. Throws 404 for an account without one. */
  async remove(account: Account, client: Client): Promise<void> {
    const { db, settings } = this.#context;
    await transact(db, async (transaction) => {
      if (!(await removeAuthenticator(transaction, account.id))) throw hasNone();
      await this.#context.audit(transaction, account.userId, "account.authenticator_removed", client);
    });
    this.#context.notify(account.email, authenticatorRemovedMail(settings.publicUrl, client.author));
  }

  /** Replaces all recovery codes. Throws 404 for an account without an authenticator. */
  async renewRecoveryCodes(account: Account, client: Client): Promise<string[]> {
    const { db, settings } = this.#context;
    const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
    await transact(db, async (transaction) => {
      if ((await findAuthenticator(transaction, account.id)) === null) throw hasNone();
      await replaceRecoveryCodes(transaction, account.id, codes);
      await this.#context.audit(transaction, account.userId, "account.recovery_codes_replaced", client);
    });
    this.#context.notify(account.email, recoveryCodesMail(settings.publicUrl, client.author));
    return codes;
  }

  /**
   * Checks the second factor of a sign-in with a password. An account with an authenticator requires a code of the
   * authenticator or a recovery code; each code works once. Throws 401 with the challenge unless the code is right.
   * Returns false for an account without an authenticator.
   */
  async requireCode(
    attempt: { accountId: string; email: string; isKnownDevice: boolean },
    code: string | undefined,
    client: Client,
  ): Promise<boolean> {
    const { db, limits } = this.#context;
    const authenticator = await findAuthenticator(db, attempt.accountId);
    if (authenticator === null) return false;
    if (code === undefined) throw codeRequired("Enter the code that your authenticator app shows, or a recovery code.");
    await limits.countCode(attempt, client).catch((refusal) => {
      this.#warn(attempt.email, client);
      throw refusal;
    });
    const isRight = await this.#use(attempt.accountId, authenticator.secret, code, { ...client, email: attempt.email });
    if (!isRight)
      throw codeRequired(
        "The code is wrong, or was used already. Wait for the next one that your authenticator shows.",
      );
    await limits.forgetCodes(attempt, client);
    return true;
  }

  async #use(accountId: string, sealed: string, text: string, client: Client & { email: string }): Promise<boolean> {
    const { db, clock, secrets, settings } = this.#context;
    const code = text.replace(/[\s-]/g, "").toUpperCase();
    if (/^\d{6}$/.test(code)) {
      const step = stepOfCode(secrets.open(sealed, authenticatorPlace(accountId)), code, clock.nowMs());
      return step !== null && (await useStep(db, accountId, step));
    }
    const remaining = await transact(db, async (transaction: Queryable) => {
      if (!(await useRecoveryCode(transaction, accountId, code))) return null;
      const userId = await userIdOf(transaction, accountId);
      await this.#context.audit(transaction, userId, "account.recovery_code_used", client);
      return countRecoveryCodes(transaction, accountId);
    });
    if (remaining === null) return false;
    this.#context.notify(client.email, recoveryCodeUsedMail(settings.publicUrl, remaining, client.author));
    return true;
  }

  /** Mails the owner about wrong codes. Call this only after the right password. */
  #warn(email: string, { author }: Client): void {
    const { mailQueue, limits, settings } = this.#context;
    mailQueue.notify(async () =>
      (await limits.admitsCodeMail(email)) ? { to: email, ...wrongCodesMail(settings.publicUrl, author) } : null,
    );
  }

  #isGenuine(account: Account, { secret, recoveryCodes: codes, proof }: ProposedAuthenticator): boolean {
    const [issuedAt = "", signature = ""] = proof.split(".");
    return (
      Number(issuedAt) + proposalSeconds > this.#context.clock.nowMs() / 1000 &&
      this.#context.settings
        .secrets()
        .some((key) => isEqual(signature, this.#sign(key, account, secret, codes, issuedAt)))
    );
  }

  #sign(key: string, { id }: Account, secret: string, codes: readonly string[], issuedAt: string): string {
    const parts = ["proposed authenticator", id, secret, ...codes, issuedAt];
    return createHmac("sha256", key).update(parts.join("\n")).digest("base64url");
  }
}

/** Uses error correction level M, which recovers a loss of 15 %. */
function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join("") };
}

const isEqual = (a: string, b: string): boolean =>
  Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const hasOne = (): ApiError => conflict("The account has an authenticator already. Remove it before you add another.");

const hasNone = (): ApiError => notFound("The account has no authenticator.");

const codeRequired = (details: string): ApiError =>
  new ApiError(401, "unauthorized", "A code is needed", details, {
    headers: { "www-authenticate": codeChallenge },
    refusedBy: "second-factor",
  });
