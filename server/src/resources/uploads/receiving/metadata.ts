import { isUtf8 } from "node:buffer";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { hasBidiControl, isVisible } from "@beatmarket/foundation/text/visible-text.ts";
import { type UploadKind, uploadKinds } from "../upload.ts";

export interface UploadMetadata {
  kind: UploadKind;
  filename: string;
}

const maxFilenameLength = 255;
const control = /\p{Cc}/u;

/** Reads the decoded pairs of Upload-Metadata. Throws 400 naming a pair that is missing or wrong. Ignores other pairs. */
export function readMetadata(pairs: Readonly<Record<string, string | null>> = {}): UploadMetadata {
  const { kind, filename } = pairs;
  if (!isKind(kind))
    throw refuse(
      "kind",
      kind
        ? `is ${quoted(kind)}; it must be one of ${uploadKinds.join(", ")}`
        : `must be one of ${uploadKinds.join(", ")}`,
    );
  // Old browsers send a path, so use its last part.
  const name = (filename ?? "").normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  if (!isVisible(name) || name === "." || name === "..")
    throw refuse("filename", "must name the file, such as beat.wav");
  if (name.length > maxFilenameLength)
    throw refuse("filename", `has ${name.length} characters; it may have at most ${maxFilenameLength}`);
  if (control.test(name) || hasBidiControl(name) || !name.isWellFormed())
    throw refuse("filename", "contains control characters; send it without them");
  return { kind, filename: name };
}

/** Throws 400 where the value of this pair in Upload-Metadata, decoded from Base64, is not UTF-8. */
export function requireUtf8(metadata: string, pair: string): void {
  for (const each of metadata.split(",")) {
    const [name, value = ""] = each.trim().split(" ");
    if (name === pair && !isUtf8(Buffer.from(value, "base64")))
      throw refuse(pair, "is not in UTF-8; encode the text as UTF-8 before Base64");
  }
}

const isKind = (kind: string | null | undefined): kind is UploadKind =>
  (uploadKinds as readonly (string | null | undefined)[]).includes(kind);

const refuse = (pair: string, problem: string) =>
  invalidRequest(`The ${pair} in Upload-Metadata ${problem}.`, `Upload-Metadata ${pair}`);
