import { findFrames, framesHeadBytes } from "../formats/find-frames.ts";
import { sniff } from "../formats/sniff.ts";
import { unusable } from "../media-task.ts";
import { shown } from "./names.ts";

const audioTypes = new Set(["wav", "aiff", "flac", "mp3", "ogg", "m4a"]);
const audioNames = /\.(wav|wave|bwf|rf64|aif|aiff|aifc|flac|mp3|ogg|oga|opus|m4a|aac)$/i;
const textNames = /\.(txt|md)$/i;
const midiNames = /\.midi?$/i;
const maxTextBytes = 1_000_000;
/** What macOS packs next to the files: a file's attributes and the look of a folder. */
const appleDouble = { names: /(^|\/)\._[^/]*$/, start: Buffer.from("00051607", "hex") };
const folderLook = { names: /(^|\/)\.DS_Store$/, start: Buffer.from("\0\0\0\x01Bud1", "latin1") };

const ofLines: ReadonlySet<string | undefined> = new Set("\t\n\v\f\r\x1a\x1b");

type Content = "audio" | "other";

/** How many bytes of a file `contentOf` looks at: of text everything. */
export const headBytes = (path: string): number => (textNames.test(path) ? maxTextBytes : framesHeadBytes);

/**
 * What a file is, by its name and its content alike.
 * @throws {MediaTaskError} when it is neither audio, nor MIDI, nor text
 */
export function contentOf(path: string, { head, bytes }: { head: Uint8Array; bytes: number }): Content {
  const start = Buffer.from(head.buffer, head.byteOffset, head.length);
  if (audioNames.test(path) && !appleDouble.names.test(path)) {
    if (bytes === 0) return "other";
    if (audioTypes.has(sniff(head) ?? "") || findFrames(head) !== null) return "audio";
    throw unusable(
      `The ZIP file has a file that is named as audio and is none, ${shown(path)}: export it again or leave it out.`,
    );
  }
  for (const { names, start: expected } of [appleDouble, folderLook])
    if (names.test(path) && bytes <= maxTextBytes && start.subarray(0, expected.length).equals(expected))
      return "other";
  if (midiNames.test(path) && start.subarray(0, 4).toString("latin1") === "MThd") return "other";
  if (textNames.test(path)) {
    if (bytes <= maxTextBytes && isPlainText(start)) return "other";
    throw unusable(
      `The ZIP file has a file that is named as text and is none or has more than 1 MB, ${shown(path)}: leave it out.`,
    );
  }
  if (/\.(zip|rar|7z|tar|gz|tgz|bz2|xz|zst)$/i.test(path))
    throw unusable(`The ZIP file has an archive in it, ${shown(path)}: pack its files instead.`);
  throw unusable(
    `The ZIP file has ${shown(path)}, which is neither audio, MIDI nor text (.txt, .md): pack the stems without it.`,
  );
}

/** No control characters but those of lines; UTF-16 begins with its mark. */
function isPlainText(bytes: Buffer): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const text = isUtf16
    ? new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes)
    : bytes.toString("latin1");
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 0x20 && !ofLines.has(text[at])) return false;
  return true;
}
