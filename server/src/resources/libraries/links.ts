import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretBox } from "../secrets/secret-box.ts";

/** How long a link opens a library. */
export const linkDays = 30;
const linkMs = linkDays * 86_400_000;

/** The content of a signed link. */
export interface LibraryLink {
  libraryId: number;
  issuedAtMs: number;
}

type Keys = Pick<SecretBox, "downloadKeys">;

const signatureOf = (key: Buffer, text: string): string =>
  createHmac("sha256", key).update(`library/${text}`).digest("base64url");

/** The token of a new link: the library, when it was issued, and our signature. */
export function signLink({ downloadKeys }: Keys, { libraryId, issuedAtMs }: LibraryLink): string {
  const text = `${libraryId.toString(36)}.${issuedAtMs.toString(36)}`;
  return `${text}.${signatureOf(downloadKeys[0], text)}`;
}

/** Null for a token that we did not sign. */
export function readLink({ downloadKeys }: Keys, token: string): LibraryLink | null {
  const [, text = "", id = "", issued = "", signature = ""] =
    /^(([1-9a-z][0-9a-z]{0,9})\.([1-9a-z][0-9a-z]{0,9}))\.([\w-]{43})$/.exec(token) ?? [];
  const received = Buffer.from(signature);
  const isOurs = downloadKeys.some((key) => {
    const expected = Buffer.from(signatureOf(key, text));
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  return isOurs ? { libraryId: Number.parseInt(id, 36), issuedAtMs: Number.parseInt(issued, 36) } : null;
}

/** Whether a link no longer works: it is too old, or the owner of the address has ended all links so far. */
export const isOver = ({ issuedAtMs }: LibraryLink, linksEndedAt: Date | null, nowMs: number): boolean =>
  nowMs >= issuedAtMs + linkMs || (linksEndedAt !== null && issuedAtMs <= linksEndedAt.getTime());
