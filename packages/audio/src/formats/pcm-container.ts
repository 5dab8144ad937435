import type { Encoding } from "./audio-stream.ts";
import type { ByteReader } from "./byte-reader.ts";
import { unread } from "./faults.ts";
import { bytesOf, type Container } from "./pcm.ts";

const probedBytes = 64 * 1024;

/**
 * Where samples stand in larger containers: at the top, as Microsoft documents it, or at the bottom, as ALSA writes
 * them. The rest is zeros at the bottom, and zeros or the sign at the top. Null when they fill their containers. Leaves the reader
 * where it was.
 * @throws {MediaTaskError} when the samples are in neither place
 */
export async function findContainer(
  reader: ByteReader,
  {
    encoding,
    containerBytes,
    bytes,
  }: {
    encoding: Encoding;
    containerBytes: number;
    /** Of all containers. */
    bytes: number;
  },
): Promise<Container | null> {
  const spare = containerBytes - bytesOf(encoding);
  if (spare === 0) return null;
  const start = reader.position;
  let isTop = encoding.startsWith("s");
  let isBottom = isTop;
  // Quiet samples may be in either place.
  for (let remaining = bytes; isTop && isBottom && remaining >= containerBytes; ) {
    const part = await reader.read(Math.min(remaining, probedBytes - (probedBytes % containerBytes)));
    if (part.length < containerBytes) break;
    remaining -= part.length;
    for (let at = 0; at + containerBytes <= part.length; at += containerBytes) {
      const container = part.subarray(at, at + containerBytes);
      isTop &&= container.subarray(0, spare).every((byte) => byte === 0);
      isBottom &&= isFiller(container, containerBytes - spare);
    }
  }
  reader.position = start;
  if (isTop) return { bytes: containerBytes, before: spare };
  if (isBottom) return { bytes: containerBytes, before: 0 };
  throw unread(
    "WAV",
    `samples of ${8 * bytesOf(encoding)} bits somewhere within ${containerBytes} bytes`,
    "export it as PCM with 16 or 24 bits, or as FLAC or MP3",
  );
}

/** Whether the bytes from `from` on are zeros or repeat the sign of the sample before them. */
function isFiller(container: Uint8Array, from: number): boolean {
  const sign = (container[from - 1] as number) >= 0x80 ? 0xff : 0;
  const filler = container.subarray(from);
  return filler.every((byte) => byte === 0) || filler.every((byte) => byte === sign);
}
