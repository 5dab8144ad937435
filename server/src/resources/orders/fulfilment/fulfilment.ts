import { createHmac, timingSafeEqual } from "node:crypto";
import type { LicenseType } from "../../beats/licensing/licenses.ts";
import type { LicenseState } from "../../licenses/answers/judge.ts";
import type { SecretBox } from "../../secrets/secret-box.ts";
import type { Order } from "../order.ts";

/** In the order in which they are listed. */
export const fileKinds = ["mp3", "wav", "stems", "license"] as const;
export type FileKind = (typeof fileKinds)[number];

const isFileKind = (text: string): text is FileKind => (fileKinds as readonly string[]).includes(text);

/** The files that each license includes (docs/delivery.md, What a license brings): stems where the beat had them. */
export const kindsOf: Readonly<Record<LicenseType, readonly FileKind[]>> = {
  basic: ["mp3", "license"],
  premium: ["mp3", "wav", "license"],
  unlimited: ["mp3", "wav", "stems", "license"],
  exclusive: ["mp3", "wav", "stems", "license"],
};

/** A file of an order. Name, size and hash are those of the delivered bytes. */
export interface OrderFile {
  kind: FileKind;
  filename: string;
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
  contentType: string;
}

/** The target of a link: a file, or all of them as a ZIP. */
type LinkedFile = FileKind | "archive";

export const isLinkedFile = (text: string): text is LinkedFile => text === "archive" || isFileKind(text);

/** The files and the license that a buyer gets for an order. No files once it is refunded in full. */
export interface Fulfilment {
  files: readonly (OrderFile & { url: string; expiresAt: Date })[];
  /** All of them as a ZIP; null without any. */
  archive: { filename: string; url: string; expiresAt: Date } | null;
  license: {
    id: string;
    /** The address of its public page. */
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
/** In bytes of UTF-8. File systems allow 255, of which the suffix and "(exclusive)" use some. */
const maxNameBytes = 200;

/** `{producer} - {title} ({license}).mp3`, safe on every file system. */
export function filenameOf(order: Pick<Order, "producer_name" | "title" | "license_type">, kind: LinkedFile): string {
  const name = clipped(safe(`${order.producer_name} - ${order.title}`), maxNameBytes);
  return `${name} (${order.license_type})${suffixes[kind]}`;
}

/**
 * Removes what Windows, macOS or Linux refuse in a name, control and direction characters, and a leading dot or dash,
 * which would hide the file or make its name an option.
 */
function safe(text: string): string {
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

/** The first `maxBytes` bytes of UTF-8, cut at the end of a grapheme. */
function clipped(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let clippedName = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Buffer.byteLength(clippedName + segment) > maxBytes) break;
    clippedName += segment;
  }
  return clippedName.trimEnd();
}

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
