import { createHmac, timingSafeEqual } from "node:crypto";
import type { LicenseState } from "@beatmarket/license-terms/judge.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import type { SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import type { Order } from "../order.ts";

/** The kinds of files, in the order of the list. */
export const fileKinds = ["mp3", "wav", "stems", "license"] as const;
export type FileKind = (typeof fileKinds)[number];

const isFileKind = (text: string): text is FileKind => (fileKinds as readonly string[]).includes(text);

/**
 * The files that each license includes (docs/delivery.md, What a license brings). A WAV only of a lossless recording,
 * and stems only if the beat had them.
 */
export const kindsOf: Readonly<Record<LicenseType, readonly FileKind[]>> = {
  basic: ["mp3", "license"],
  premium: ["mp3", "wav", "license"],
  unlimited: ["mp3", "wav", "stems", "license"],
  exclusive: ["mp3", "wav", "stems", "license"],
};

/** A file of an order. `bytes` and `sha256` are those of the file that the buyer downloads. */
export interface OrderFile {
  kind: FileKind;
  filename: string;
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
  contentType: string;
}

/** A file of an order, or all its files as a ZIP. */
type LinkedFile = FileKind | "archive";

export const isLinkedFile = (text: string): text is LinkedFile => text === "archive" || isFileKind(text);

/**
 * The files and the license that a buyer gets for an order. There are no files after a full refund, and only the
 * certificate if an operator withdrew the files.
 */
export interface Fulfilment {
  files: readonly (OrderFile & { url: string; expiresAt: Date })[];
  /** All files as a ZIP. Null after a full refund. */
  archive: { filename: string; url: string; expiresAt: Date } | null;
  license: {
    id: string;
    /** The address of the license's public page. */
    url: string;
    jws: string;
    type: LicenseType;
    termsVersion: string;
    status: LicenseState;
  };
}

const suffixes: Readonly<Record<LinkedFile, string>> = {
  mp3: ".mp3",
  wav: ".wav",
  stems: " stems.zip",
  license: " license.pdf",
  archive: ".zip",
};
/** In bytes of UTF-8. File systems allow 255 bytes; the rest is for "(exclusive)" and the suffix. */
const maxNameBytes = 200;

/** Returns `{producer} - {title} ({license}).mp3`, with only those characters that every file system allows. */
export function filenameOf(order: Pick<Order, "producer_name" | "title" | "license_type">, kind: LinkedFile): string {
  const name = clip(removeUnsafeCharacters(`${order.producer_name} - ${order.title}`), maxNameBytes);
  return `${name} (${order.license_type})${suffixes[kind]}`;
}

/**
 * Removes or replaces characters that Windows, macOS or Linux do not allow in a name. Removes control and direction
 * characters. Removes a leading dot, which would hide the file, and a leading dash, which would make the name an
 * option. An empty name becomes "Beat".
 */
function removeUnsafeCharacters(text: string): string {
  const name = text
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, "")
    .replaceAll(/[/\\:*?"<>|]/g, "_")
    .replaceAll(/\s+/gu, " ")
    .replace(/^[\s.-]+/u, "")
    .trim();
  return name === "" ? "Beat" : name;
}

/** Returns at most the first `maxBytes` bytes of UTF-8, and ends with a whole grapheme. */
function clip(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let clippedText = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Buffer.byteLength(clippedText + segment) > maxBytes) break;
    clippedText += segment;
  }
  return clippedText.trimEnd();
}

/** The time for which a link works. */
export const linkMs = 15 * 60_000;

/**
 * The target of a link: a file of the order, all its files, an invoice by its id, or the producer's copy of an invoice.
 */
export type LinkTarget = LinkedFile | `${"invoices" | "copies"}/${number}`;

/** The parts of a requested link. */
export interface CalledLink {
  orderId: number;
  kind: LinkTarget;
  /** Seconds since 1970. */
  expires: number;
  signature: string;
}

/**
 * Links to the files and invoices of orders, signed by HMAC-SHA256 under a key that is derived from the secret keys.
 */
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

  /**
   * Returns whether the signature is valid under the current key or an earlier key that is still accepted. Ignores the
   * expiry.
   */
  verify({ signature, ...link }: CalledLink): boolean {
    // Compares texts instead of bytes, because several base64url texts stand for the same bytes.
    const received = Buffer.from(signature);
    return this.#secrets.downloadKeys.some((key) => {
      const expected = Buffer.from(signatureOf(key, link));
      return received.length === expected.length && timingSafeEqual(received, expected);
    });
  }
}

/** Reads a link from its address. Returns null if the address does not have the form of a link. */
export function readLink(
  { params: { order_id: id = "" }, query: queryText }: { params: Record<string, string>; query: string },
  kind: LinkTarget,
): CalledLink | null {
  const query = new URLSearchParams(queryText);
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
