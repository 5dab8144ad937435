import { ascii, type ByteReader } from "./byte-reader.ts";
import { refuseTruncated } from "./faults.ts";

const maxBoxes = 1000;
/** The boxes that must be complete. Other boxes may be unrelated bytes after the audio. */
const neededBoxes = new Set(["moov", "moof", "mdat"]);

/**
 * The size of the audio data of an M4A (ISO 14496-12) or AAC file, without covers and other metadata.
 * @throws {MediaTaskError} if a box of an M4A file is incomplete. `ffmpeg` would decode such a file without an error.
 */
export async function m4aBytes(reader: ByteReader, offset: number): Promise<number> {
  let position = offset;
  let media = 0;
  for (let boxes = 0; boxes < maxBoxes; boxes++) {
    reader.position = position;
    const head = await reader.view(16);
    if (head === null) break;
    // 0: the box ends with the file. 1: a field of 64 bits has the size.
    const sizeField = head.getUint32(0);
    const announced = sizeField === 1 ? Number(head.getBigUint64(8)) : sizeField;
    const bytes = sizeField === 0 ? reader.size - position : Math.min(announced, reader.size - position);
    if (bytes < 8) break;
    const name = ascii(head, 4, 4);
    if (neededBoxes.has(name) && sizeField !== 0)
      refuseTruncated("M4A", { available: bytes, expected: announced, tolerance: 0 });
    if (name === "mdat") media += bytes;
    position += bytes;
  }
  // An AAC stream has no boxes.
  return media === 0 ? reader.size - offset : media;
}
