import { createHmac, timingSafeEqual } from "node:crypto";

/** A price that an agent may show to a person, and that `buy` guarantees. */
export interface Quote {
  /** Unique: a quote can be used once. */
  id: string;
  keyId: number;
  beatId: number;
  title: string;
  licenseType: string;
  /** In the currency's main unit, as the API has it. */
  price: number;
  currency: string;
  /** Unix seconds. */
  expiresAt: number;
}

/**
 * Signs quotes, so that they need not be stored: `base64url(JSON).signature`. The first secret signs. Signatures of the
 * other secrets stay valid until they expire.
 */
export class Quotes {
  readonly #secrets: () => readonly [current: string, ...previous: string[]];

  constructor(secrets: () => readonly [current: string, ...previous: string[]]) {
    this.#secrets = secrets;
  }

  seal(quote: Quote): string {
    const text = Buffer.from(JSON.stringify(quote)).toString("base64url");
    return `${text}.${signatureOf(this.#secrets()[0], text)}`;
  }

  /** The quote that this service gave to this key, if it is still valid; null for anything else. */
  open(sealed: string, keyId: number, nowMs: number): Quote | null {
    const [text = "", signature = ""] = sealed.split(".");
    if (!this.#secrets().some((secret) => isEqual(signature, signatureOf(secret, text)))) return null;
    const quote = JSON.parse(Buffer.from(text, "base64url").toString()) as Quote;
    return quote.keyId === keyId && quote.expiresAt * 1_000 > nowMs ? quote : null;
  }
}

const signatureOf = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(`quote of an agent\n${text}`).digest("base64url");

const isEqual = (a: string, b: string): boolean =>
  Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b));
