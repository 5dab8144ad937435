import type { Encoding } from "./audio-stream.ts";
import type { ByteReader } from "./byte-reader.ts";
import { unsupported } from "./faults.ts";
import { bytesOf, type Container } from "./pcm.ts";

const probedBytes = 64 * 1024;

/**
 * Finds the position of samples in larger containers: in the high bytes, as Microsoft documents it, or in the low
 * bytes, as ALSA writes them. The unused low bytes are zeros. The unused high bytes are zeros or repeat the sign.
 * Returns null if the samples fill their containers. Does not move the reader.
 * @throws {MediaTaskError} if the samples are in neither position
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
    /** The size of all containers. */
    bytes: number;
  },
): Promise<Container | null> {
  const spare = containerBytes - bytesOf(encoding);
  if (spare === 0) return null;
  const start = reader.position;
  let isHigh = encoding.startsWith("s");
  let isLow = isHigh;
  // Quiet samples fit both positions.
  for (let remaining = bytes; isHigh && isLow && remaining >= containerBytes; ) {
    const part = await reader.read(Math.min(remaining, probedBytes - (probedBytes % containerBytes)));
    if (part.length < containerBytes) break;
    remaining -= part.length;
    for (let offset = 0; offset + containerBytes <= part.length; offset += containerBytes) {
      const container = part.subarray(offset, offset + containerBytes);
      isHigh &&= container.subarray(0, spare).every((byte) => byte === 0);
      isLow &&= isFiller(container, containerBytes - spare);
    }
  }
  reader.position = start;
  if (isHigh) return { bytes: containerBytes, before: spare };
  if (isLow) return { bytes: containerBytes, before: 0 };
  throw unsupported(
    "WAV",
    `samples of ${8 * bytesOf(encoding)} bits somewhere within ${containerBytes} bytes`,
    "export it as PCM with 16 or 24 bits, or as FLAC or MP3",
  );
}

/** Whether all bytes from `from` are zeros, or repeat the sign of the sample before them. */
function isFiller(container: Uint8Array, from: number): boolean {
  const sign = (container[from - 1] as number) >= 0x80 ? 0xff : 0;
  const filler = container.subarray(from);
  return filler.every((byte) => byte === 0) || filler.every((byte) => byte === sign);
}
