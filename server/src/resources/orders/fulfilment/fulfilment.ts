import type { LicenseType } from "../../beats/licensing/licenses.ts";
import type { LicenseState } from "../../licenses/answers/judge.ts";
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
export type LinkedFile = FileKind | "archive";

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
