import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../clock.ts";

const cookieName = "__Host-beatmarket.device";
const lifeSeconds = 90 * 86_400;

/**
 * Remembers that a browser has signed in to an account, in a signed cookie (OWASP, Slow Down Online Guessing Attacks with
 * Device Cookies). The cookie opens nothing: it only spares its browser the limits that strangers can use up. It is bound
 * to the address and to the password, so a new password ends it.
 */
export class KnownDevices {
  readonly #key: Buffer;
  readonly #clock: Clock;

  constructor(secret: string, clock: Clock) {
    this.#key = createHmac("sha256", secret).update("known devices").digest();
    this.#clock = clock;
  }

  /** The Set-Cookie header after a sign-in. `passwordHash` is as stored. */
  cookie(email: string, passwordHash: string): string {
    const issuedAt = String(Math.floor(this.#clock.nowMs() / 1000));
    const fingerprint = this.#hmac("password", passwordHash);
    const value = [issuedAt, fingerprint, this.#hmac("device", email, issuedAt, fingerprint)].join(".");
    return `${cookieName}=${value}; Max-Age=${lifeSeconds}; Path=/; HttpOnly; Secure; SameSite=Strict`;
  }

  /**
   * Whether the request comes from a device of the account. A forged, foreign or expired cookie costs no look-up of the
   * password's hash; null is the hash of an account without one.
   */
  async recognizes(email: string, headers: Headers, findPasswordHash: () => Promise<string | null>): Promise<boolean> {
    const fingerprint = this.#fingerprint(email, headers);
    if (fingerprint === null) return false;
    const passwordHash = await findPasswordHash();
    return passwordHash !== null && isEqual(fingerprint, this.#hmac("password", passwordHash));
  }

  /** Whether the request has a cookie that was made for the address, perhaps under a former password. */
  isSigned(email: string, headers: Headers): boolean {
    return this.#fingerprint(email, headers) !== null;
  }

  /** The password that a genuine cookie was made under; null without one. */
  #fingerprint(email: string, headers: Headers): string | null {
    const value = new RegExp(`(?:^|; )${cookieName}=([\\w.-]{1,200})(?:;|$)`).exec(headers.get("cookie") ?? "")?.[1];
    const [issuedAt = "", fingerprint = "", signature = ""] = value?.split(".") ?? [];
    if (!isEqual(signature, this.#hmac("device", email, issuedAt, fingerprint))) return null;
    return Number(issuedAt) + lifeSeconds > this.#clock.nowMs() / 1000 ? fingerprint : null;
  }

  #hmac(...parts: readonly string[]): string {
    return createHmac("sha256", this.#key).update(parts.join("\n")).digest("base64url");
  }
}

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
