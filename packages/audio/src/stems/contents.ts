import { findFrames, framesHeadBytes } from "../formats/find-frames.ts";
import { sniff } from "../formats/sniff.ts";
import { unusable } from "../media-task.ts";
import { quotedName } from "./names.ts";

const audioTypes = new Set(["wav", "aiff", "flac", "mp3", "ogg", "m4a"]);
const audioNames = /\.(wav|wave|bwf|rf64|aif|aiff|aifc|flac|mp3|ogg|oga|opus|m4a|aac)$/i;
const textNames = /\.(txt|md)$/i;
const midiNames = /\.midi?$/i;
const maxTextBytes = 1_000_000;
/** Metadata that macOS adds to archives: the attributes of a file, and the view settings of a folder. */
const appleDouble = { names: /(^|\/)\._[^/]*$/, start: Buffer.from("00051607", "hex") };
const dsStore = { names: /(^|\/)\.DS_Store$/, start: Buffer.from("\0\0\0\x01Bud1", "latin1") };

/** The control characters of plain text. */
const textControls: ReadonlySet<string | undefined> = new Set("\t\n\v\f\r\x1a\x1b");

type Content = "audio" | "other";

/** The number of first bytes of a file that `contentOf` needs: of a text file all bytes. */
export const headBytes = (path: string): number => (textNames.test(path) ? maxTextBytes : framesHeadBytes);

/**
 * The kind of a file, according to both its name and its content. An empty file named as audio is "other".
 * @throws {MediaTaskError} if it is neither audio, nor MIDI, nor text, nor metadata of macOS
 */
export function contentOf(path: string, { head, bytes }: { head: Uint8Array; bytes: number }): Content {
  const start = Buffer.from(head.buffer, head.byteOffset, head.length);
  if (audioNames.test(path) && !appleDouble.names.test(path)) {
    if (bytes === 0) return "other";
    if (audioTypes.has(sniff(head) ?? "") || findFrames(head) !== null) return "audio";
    throw unusable(
      `The ZIP file has a file that is named as audio but is not audio, ${quotedName(path)}: export it again or leave it out.`,
    );
  }
  for (const { names, start: expected } of [appleDouble, dsStore])
    if (names.test(path) && bytes <= maxTextBytes && start.subarray(0, expected.length).equals(expected))
      return "other";
  if (midiNames.test(path) && start.subarray(0, 4).toString("latin1") === "MThd") return "other";
  if (textNames.test(path)) {
    if (bytes <= maxTextBytes && isPlainText(start)) return "other";
    throw unusable(
      `The ZIP file has a file that is named as text but is not text or has more than 1 MB, ${quotedName(path)}: leave it out.`,
    );
  }
  if (/\.(zip|rar|7z|tar|gz|tgz|bz2|xz|zst)$/i.test(path))
    throw unusable(`The ZIP file has an archive in it, ${quotedName(path)}: pack its files instead.`);
  throw unusable(
    `The ZIP file has ${quotedName(path)}, which is neither audio, MIDI nor text (.txt, .md): pack the stems without it.`,
  );
}

/** Whether a text has only the control characters of plain text. UTF-16 must begin with a byte order mark. */
function isPlainText(bytes: Buffer): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const text = isUtf16
    ? new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes)
    : bytes.toString("latin1");
  for (let offset = 0; offset < text.length; offset++)
    if (text.charCodeAt(offset) < 0x20 && !textControls.has(text[offset])) return false;
  return true;
}
