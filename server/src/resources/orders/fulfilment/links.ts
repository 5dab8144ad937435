import { createHmac, timingSafeEqual } from "node:crypto";
import type { SecretBox } from "../../secrets/secret-box.ts";
import type { LinkedFile } from "./fulfilment.ts";

/** How long a link works. */
export const linkMs = 15 * 60_000;

/** A link as it was requested. */
export interface CalledLink {
  orderId: number;
  kind: LinkedFile;
  /** Seconds since 1970. */
  expires: number;
  signature: string;
}

/** Links to the files of orders, signed by HMAC-SHA256 under a key that is derived from the secret keys. */
export class DownloadLinks {
  readonly #publicUrl: string;
  readonly #secrets: SecretBox;

  constructor({ publicUrl, secrets }: { publicUrl: string; secrets: SecretBox }) {
    this.#publicUrl = publicUrl;
    this.#secrets = secrets;
  }

  sign({ orderId, kind, expiresAt }: { orderId: number; kind: LinkedFile; expiresAt: Date }): string {
    const expires = Math.floor(expiresAt.getTime() / 1_000);
    const [key] = this.#secrets.downloadKeys;
    const signature = signatureOf(key, { orderId, kind, expires });
    return `${this.#publicUrl}/downloads/${orderId}/${kind}?expires=${expires}&signature=${signature}`;
  }

  /** Whether the link is ours, expired or not: signed with the present key, or with a former one that is still accepted. */
  verify({ signature, ...link }: CalledLink): boolean {
    // Compared as texts, since several base64url texts stand for the same bytes.
    const given = Buffer.from(signature);
    return this.#secrets.downloadKeys.some((key) => {
      const expected = Buffer.from(signatureOf(key, link));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }
}

const signatureOf = (key: Buffer, { orderId, kind, expires }: Omit<CalledLink, "signature">): string =>
  createHmac("sha256", key).update(`${orderId}/${kind}/${expires}`).digest("base64url");
