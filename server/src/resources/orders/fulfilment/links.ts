import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretBox } from "../../secrets/secret-box.ts";
import type { LinkedFile } from "./fulfilment.ts";

/** How long a link works. */
export const linkMs = 15 * 60_000;

/** What a link leads to: a file of the order, a document of its invoices by id, or the producer's copy of one. */
export type LinkTarget = LinkedFile | `${"invoices" | "copies"}/${number}`;

/** A link as it was requested. */
export interface CalledLink {
  orderId: number;
  kind: LinkTarget;
  /** Seconds since 1970. */
  expires: number;
  signature: string;
}

/** Links to the files and invoices of orders, signed by HMAC-SHA256 under a key that is derived from the secret keys. */
export class DownloadLinks {
  readonly #publicUrl: string;
  readonly #secrets: SecretBox;

  constructor({ publicUrl, secrets }: { publicUrl: string; secrets: SecretBox }) {
    this.#publicUrl = publicUrl;
    this.#secrets = secrets;
  }

  sign({ orderId, kind, expiresAt }: { orderId: number; kind: LinkTarget; expiresAt: Date }): string {
    const expires = Math.floor(expiresAt.getTime() / 1_000);
    const [key] = this.#secrets.downloadKeys;
    const signature = signatureOf(key, { orderId, kind, expires });
    return `${this.#publicUrl}/downloads/${orderId}/${kind}?expires=${expires}&signature=${signature}`;
  }

  /** Whether the link is ours, expired or not: signed with the present key, or with a former one that is still accepted. */
  verify({ signature, ...link }: CalledLink): boolean {
    // Compared as texts, since several base64url texts stand for the same bytes.
    const received = Buffer.from(signature);
    return this.#secrets.downloadKeys.some((key) => {
      const expected = Buffer.from(signatureOf(key, link));
      return received.length === expected.length && timingSafeEqual(received, expected);
    });
  }
}

/** A link from its address; null for an address that does not look like one of ours. */
export function readLink(
  { params: { order_id: id = "" }, query: called }: { params: Record<string, string>; query: string },
  kind: LinkTarget,
): CalledLink | null {
  const query = new URLSearchParams(called);
  const [[expires = "", ...otherTimes], [signature = "", ...otherSignatures]] = [
    query.getAll("expires"),
    query.getAll("signature"),
  ];
  if (otherTimes.length > 0 || otherSignatures.length > 0) return null;
  if (!/^[1-9]\d{0,14}$/.test(id) || !/^[1-9]\d{0,11}$/.test(expires)) return null;
  return { orderId: Number(id), kind, expires: Number(expires), signature };
}

const signatureOf = (key: Buffer, { orderId, kind, expires }: Omit<CalledLink, "signature">): string =>
  createHmac("sha256", key).update(`${orderId}/${kind}/${expires}`).digest("base64url");
