import { createHmac, timingSafeEqual } from "node:crypto";
import { sessionIdleSeconds } from "./sessions.ts";

/**
 * The first secret signs session cookies. Cookies signed with the previous secrets are also valid. All instances have
 * the same secrets.
 */
export type SessionSecrets = readonly [current: string, ...previous: string[]];

/** The `__Host-` prefix binds a cookie to the host: no subdomain and no plain HTTP can set it. */
const cookiePrefix = "__Host-beatmarket";
export const sessionCookie = `${cookiePrefix}.session_token`;

const attributes = "Path=/; HttpOnly; Secure; SameSite=Strict";

/** The Set-Cookie header of a session: its token, and an HMAC-SHA256 of the token in base64. */
export const setSessionCookie = (token: string, [secret]: SessionSecrets): string =>
  `${sessionCookie}=${encodeURIComponent(`${token}.${signatureOf(token, secret)}`)}; Max-Age=${sessionIdleSeconds}; ${attributes}`;

/** The Set-Cookie header that removes the session cookie. */
export const clearSessionCookie = `${sessionCookie}=; Max-Age=0; ${attributes}`;

/**
 * The token in the session cookie of a request; null unless one of the secrets signed the cookie. If `isCurrent` is
 * false, a previous secret signed the cookie, and the caller must set the cookie again.
 */
export function readSessionCookie(
  headers: Headers,
  secrets: SessionSecrets,
): { token: string; isCurrent: boolean } | null {
  const value = (headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${sessionCookie}=`))
    ?.slice(sessionCookie.length + 1);
  const [, token, signature] = /^(.+)\.([\w+/]{43}=)$/.exec(decodeValue(value ?? "")) ?? [];
  if (token === undefined || signature === undefined) return null;
  const signer = secrets.findIndex((secret) => isEqual(signatureOf(token, secret), signature));
  return signer < 0 ? null : { token, isCurrent: signer === 0 };
}

const signatureOf = (token: string, secret: string): string =>
  createHmac("sha256", secret).update(token).digest("base64");

/** Compares in constant time. Both texts have 44 characters. */
const isEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));

function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
