import { createHmac, timingSafeEqual } from "node:crypto";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { Account } from "../../access/account.ts";
import { generateKey } from "../../resources/api-keys/key-format.ts";

/** A key that does not exist yet, and the proof that this service proposed the key to the person for the account. */
export interface ProposedKey {
  key: string;
  proof: string;
}

/** The account that will own the key, and the person who sees it. */
type Owner = Pick<Account, "userId" | "personId">;

const lifeSeconds = 86_400;

/**
 * Proposes keys, which are shown before they exist. The account creates a proposed key after the person has copied it,
 * so that a lost response or a closed tab leaves no unknown key. Nothing is stored: the proof is an HMAC over account,
 * person, key and time.
 */
export class KeyProposals {
  readonly #secrets: () => readonly [current: string, ...previous: string[]];
  readonly #sandboxId: string | null;

  /**
   * The first secret signs new proofs. Proofs signed with the previous secrets are also valid. `sandboxId` is the
   * sandbox of the keys; null for keys of the live service.
   */
  constructor(secrets: () => readonly [current: string, ...previous: string[]], sandboxId: string | null = null) {
    this.#secrets = secrets;
    this.#sandboxId = sandboxId;
  }

  propose(owner: Owner, nowMs: number): ProposedKey {
    const key = generateKey(this.#sandboxId);
    const issuedAt = String(Math.floor(nowMs / 1000));
    return { key, proof: `${issuedAt}.${hmac(this.#secrets()[0], owner, key, issuedAt)}` };
  }

  /**
   * Returns the key of a proposal of the last day. Throws 400 for any other key, because a person could choose a key
   * that can be guessed.
   */
  accept({ key, proof }: ProposedKey, owner: Owner, nowMs: number): string {
    const [issuedAt = "", signature = ""] = proof.split(".");
    const isGenuine = this.#secrets().some((secret) => isEqual(signature, hmac(secret, owner, key, issuedAt)));
    if (isGenuine && Number(issuedAt) + lifeSeconds > nowMs / 1000) return key;
    throw invalidRequest(
      "The proposed key is older than a day, or was not proposed to you. Request another proposal.",
      "proposed",
    );
  }
}

const hmac = (secret: string, { userId, personId }: Owner, key: string, issuedAt: string): string =>
  createHmac("sha256", secret)
    .update(["proposed API key", userId, personId, key, issuedAt].join("\n"))
    .digest("base64url");

const isEqual = (a: string, b: string): boolean =>
  Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b));
