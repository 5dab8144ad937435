import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "@beatmarket/foundation/clock.ts";

/** The regular expression that finds the cookie repeats this name. */
const cookieName = "__Host-beatmarket.device";
const lifeSeconds = 90 * 86_400;

/**
 * Remembers that a browser has signed in to an account, in a signed cookie (OWASP, Slow Down Online Guessing Attacks
 * with Device Cookies). The cookie gives no access: it only exempts its browser from the limits that strangers can use
 * up. It is bound to the address and to the password, so a new password ends it.
 */
export class KnownDevices {
  readonly #secrets: () => readonly [current: string, ...previous: string[]];
  readonly #clock: Clock;

  /** The first secret signs. Cookies signed with the others are valid too. */
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
   * Whether the request comes from a known device of the account. A forged, foreign or expired cookie costs no look-up
   * of the password's hash. A null hash means that the account has none.
   */
  async recognizes(email: string, headers: Headers, findPasswordHash: () => Promise<string | null>): Promise<boolean> {
    const genuine = this.#find(email, headers);
    if (genuine === null) return false;
    const passwordHash = await findPasswordHash();
    return passwordHash !== null && isEqual(genuine.fingerprint, hmac(genuine.secret, "password", passwordHash));
  }

  /** Whether the request has a cookie that was made for the address, perhaps under a former password. */
  isSigned(email: string, headers: Headers): boolean {
    return this.#find(email, headers) !== null;
  }

  /**
   * The fingerprint of the password for which a genuine cookie was made, and the secret that signed it; null without a
   * genuine cookie.
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

// The first match counts, since most browsers also name the browsers that they descend from.
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

/** A browser in words, `Firefox on Linux`, from its user agent, which may be forged. */
export function deviceName(userAgent: string): string {
  const named = (names: readonly (readonly [mark: string, name: string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = named(browsers) ?? "An unknown browser";
  const system = named(systems);
  return system === undefined ? browser : `${browser} on ${system}`;
}
