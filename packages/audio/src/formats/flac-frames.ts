import type { ByteReader } from "./byte-reader.ts";
import { damaged } from "./faults.ts";
import { frameEnds, maxHeaderBytes, readFrameHeader } from "./flac-frame.ts";

export interface FlacFrame {
  bytes: Uint8Array;
  /** Samples per channel. */
  samples: number;
}

/** More than the longest frame: 65,535 samples of two channels and 32 bits have 0.5 MB. */
const maxFrameBytes = 1024 * 1024;
/** The maximum number of possible ends that are tried. In `maxFrameBytes` about sixteen CRCs match by chance. */
const maxTrials = 64;

/**
 * Reads the frames in the rest of a file. A frame ends where the next frame begins, or at the end of the file. Other
 * bytes, such as tags, may follow the last frame: its end is the first one with which `isWhole` can decode it.
 * @throws {MediaTaskError} if there is no frame, or if a frame is incomplete and the number of samples is unknown
 */
export async function* flacFrames(
  reader: ByteReader,
  {
    isWhole,
    isLengthKnown,
  }: {
    isWhole: (frame: FlacFrame) => Promise<boolean>;
    isLengthKnown: boolean;
  },
): AsyncGenerator<FlacFrame> {
  let window = await reader.read(2 * maxFrameBytes);
  let offset = firstFrame(window);
  for (;;) {
    if (window.length - offset < maxFrameBytes + maxHeaderBytes && reader.remaining > 0) {
      window = Buffer.concat([window.subarray(offset), await reader.read(2 * maxFrameBytes)]);
      offset = 0;
    }
    const header = readFrameHeader(window, offset);
    if (header === null) return;
    const frame = await findFrame(window.subarray(offset), { header, isEnd: reader.remaining === 0, isWhole });
    if (frame === null) {
      if (isLengthKnown) return;
      throw damaged("FLAC", "a frame is incomplete");
    }
    yield { bytes: frame, samples: header.samples };
    offset += frame.length;
  }
}

function firstFrame(window: Uint8Array): number {
  for (let offset = 0; offset < window.length; offset++) if (readFrameHeader(window, offset) !== null) return offset;
  throw damaged("FLAC", "its samples cannot be decoded");
}

/** The frame at the start of `window`. Returns null if the frame is incomplete. */
async function findFrame(
  window: Uint8Array,
  {
    header,
    isEnd,
    isWhole,
  }: {
    header: { bytes: number; samples: number };
    /** Whether the window ends with the file. */
    isEnd: boolean;
    isWhole: (frame: FlacFrame) => Promise<boolean>;
  },
): Promise<Uint8Array | null> {
  const candidates: Uint8Array[] = [];
  for (const end of frameEnds(window.subarray(0, maxFrameBytes), 0, header.bytes)) {
    const bytes = window.subarray(0, end);
    const isLast = isEnd && end === window.length && candidates.length === 0;
    if (isLast || readFrameHeader(window, end) !== null) return bytes;
    if (candidates.length < maxTrials) candidates.push(bytes);
  }
  for (const bytes of candidates) if (await isWhole({ bytes, samples: header.samples })) return bytes;
  return null;
}
