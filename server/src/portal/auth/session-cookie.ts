import { createHmac, timingSafeEqual } from "node:crypto";
import { sessionIdleSeconds } from "./sessions.ts";

/** The first secret signs session cookies. Cookies signed with the others are valid too. The same on every instance. */
export type SessionSecrets = readonly [current: string, ...previous: string[]];

/** Bound to the host: no subdomain and no plain HTTP can set it. */
const cookiePrefix = "__Host-beatmarket";
export const sessionCookie = `${cookiePrefix}.session_token`;

const attributes = "Path=/; HttpOnly; Secure; SameSite=Strict";

/** The Set-Cookie header of a session: its token, and an HMAC-SHA256 of the token in base64. */
export const setSessionCookie = (token: string, [secret]: SessionSecrets): string =>
  `${sessionCookie}=${encodeURIComponent(`${token}.${signatureOf(token, secret)}`)}; Max-Age=${sessionIdleSeconds}; ${attributes}`;

/** The Set-Cookie header that removes the cookie. */
export const clearSessionCookie = `${sessionCookie}=; Max-Age=0; ${attributes}`;

/**
 * The token of a request's session cookie; null without a cookie that one of the secrets signed. `isCurrent` is false
 * for a cookie that a previous secret signed, which must be set again.
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
  const [, token, signature] = /^(.+)\.([\w+/]{43}=)$/.exec(decoded(value ?? "")) ?? [];
  if (token === undefined || signature === undefined) return null;
  const signer = secrets.findIndex((secret) => isEqual(signatureOf(token, secret), signature));
  return signer < 0 ? null : { token, isCurrent: signer === 0 };
}

const signatureOf = (token: string, secret: string): string =>
  createHmac("sha256", secret).update(token).digest("base64");

/** Both texts have 44 characters. */
const isEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
