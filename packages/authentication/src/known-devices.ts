import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "@beatmarket/foundation/clock.ts";

/** The name of the cookie. The regular expression that parses the cookie repeats this name. */
const cookieName = "__Host-beatmarket.device";
const lifeSeconds = 90 * 86_400;

/**
 * Device cookies (OWASP, Slow Down Online Guessing Attacks with Device Cookies). A signed cookie records that a browser
 * has signed in to an account. The cookie gives no access. It only exempts the browser from the limits that strangers
 * can use up. The cookie is bound to the address and the password, so a new password invalidates it.
 */
export class KnownDevices {
  readonly #secrets: () => readonly [current: string, ...previous: string[]];
  readonly #clock: Clock;

  /** The first secret signs new cookies. Cookies signed with the previous secrets are also valid. */
  constructor(secrets: () => readonly [current: string, ...previous: string[]], clock: Clock) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /** The Set-Cookie header after a sign-in. `passwordHash` is the stored hash. */
  cookie(email: string, passwordHash: string): string {
    const issuedAt = String(Math.floor(this.#clock.nowMs() / 1000));
    const [secret] = this.#secrets();
    const fingerprint = hmac(secret, "password", passwordHash);
    const value = [issuedAt, fingerprint, hmac(secret, "device", email, issuedAt, fingerprint)].join(".");
    return `${cookieName}=${value}; Max-Age=${lifeSeconds}; Path=/; HttpOnly; Secure; SameSite=Strict`;
  }

  /**
   * Whether the request comes from a known device of the account. `findPasswordHash` is called only for a genuine
   * cookie of this address, and returns null for an account without a password.
   */
  async recognizes(email: string, headers: Headers, findPasswordHash: () => Promise<string | null>): Promise<boolean> {
    const signedDevice = this.#find(email, headers);
    if (signedDevice === null) return false;
    const passwordHash = await findPasswordHash();
    return (
      passwordHash !== null && isEqual(signedDevice.fingerprint, hmac(signedDevice.secret, "password", passwordHash))
    );
  }

  /** Whether the request has a genuine cookie for the address. The password may have changed since. */
  isSigned(email: string, headers: Headers): boolean {
    return this.#find(email, headers) !== null;
  }

  /**
   * The fingerprint of the password in a genuine cookie, and the secret that signed the cookie; null without a genuine
   * cookie.
   */
  #find(email: string, headers: Headers): { fingerprint: string; secret: string } | null {
    const value = /(?:^|; )__Host-beatmarket\.device=([\w.-]{1,200})(?:;|$)/.exec(headers.get("cookie") ?? "")?.[1];
    const [issuedAt = "", fingerprint = "", signature = ""] = value?.split(".") ?? [];
    const secret = this.#secrets().find((each) =>
      isEqual(signature, hmac(each, "device", email, issuedAt, fingerprint)),
    );
    const isFresh = Number(issuedAt) + lifeSeconds > this.#clock.nowMs() / 1000;
    return secret !== undefined && isFresh ? { fingerprint, secret } : null;
  }
}

const hmac = (secret: string, purpose: "device" | "password", ...parts: readonly string[]): string =>
  createHmac("sha256", secret)
    .update(["known devices", purpose, ...parts].join("\n"))
    .digest("base64url");

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

// The first match counts, because most user agents also contain the names of older browsers.
const browsers = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["HeadlessChrome", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const;
const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["CrOS", "ChromeOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** Derives a readable name, such as `Firefox on Linux`, from a user agent. The user agent may be forged. */
export function deviceName(userAgent: string): string {
  const nameIn = (names: readonly (readonly [mark: string, name: string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = nameIn(browsers) ?? "An unknown browser";
  const system = nameIn(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
