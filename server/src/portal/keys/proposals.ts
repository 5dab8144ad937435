import { createHmac, timingSafeEqual } from "node:crypto";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { Account } from "../../access/account.ts";
import { generateKey } from "../../resources/api-keys/key-format.ts";

/** A key that does not exist yet, and the proof that this service made it up for the person, in the account. */
export interface ProposedKey {
  key: string;
  proof: string;
}

/** The account that is to have the key, and the person who sees it. */
type Owner = Pick<Account, "userId" | "personId">;

const lifeSeconds = 86_400;

/**
 * Keys that are shown before they exist: an account creates one once its owner has it, so that a lost response or a
 * closed tab leaves no key that no one knows. Nothing is stored: the proof is an HMAC over account, person, key and time.
 */
export class KeyProposals {
  readonly #secrets: () => readonly [current: string, ...previous: string[]];

  /** The first secret signs; proofs that the others signed are valid too. */
  constructor(secrets: () => readonly [current: string, ...previous: string[]]) {
    this.#secrets = secrets;
  }

  propose(owner: Owner, nowMs: number): ProposedKey {
    const key = generateKey();
    const issuedAt = String(Math.floor(nowMs / 1000));
    return { key, proof: `${issuedAt}.${hmac(this.#secrets()[0], owner, key, issuedAt)}` };
  }

  /** The key of a proposal of the last day. 400 for any other: its owner would choose a key that can be guessed. */
  accept({ key, proof }: ProposedKey, owner: Owner, nowMs: number): string {
    const [issuedAt = "", signature = ""] = proof.split(".");
    const isGenuine = this.#secrets().some((secret) => isEqual(signature, hmac(secret, owner, key, issuedAt)));
    if (isGenuine && Number(issuedAt) + lifeSeconds > nowMs / 1000) return key;
    throw invalidRequest("The proposed key is not one of the last day. Have another one proposed.", "proposed");
  }
}

const hmac = (secret: string, { userId, personId }: Owner, key: string, issuedAt: string): string =>
  createHmac("sha256", secret)
    .update(["proposed API key", userId, personId, key, issuedAt].join("\n"))
    .digest("base64url");

const isEqual = (a: string, b: string): boolean =>
  Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b));
