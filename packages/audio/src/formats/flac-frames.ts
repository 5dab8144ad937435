import type { ByteReader } from "./byte-reader.ts";
import { damaged } from "./faults.ts";
import { frameEnds, maxHeaderBytes, readFrameHeader } from "./flac-frame.ts";

export interface FlacFrame {
  bytes: Uint8Array;
  /** Samples of a channel. */
  samples: number;
}

/** 65,535 samples of two channels and 32 bits have 0.5 MB. */
const maxFrameBytes = 1024 * 1024;
/** Ends that are right by chance: some sixteen of a frame as long as may be. Zeros after the frame are more of them. */
const maxTrials = 64;

/**
 * The frames in the rest of a file. Each ends where the next one begins, or where the file does. After the last one there may
 * be other bytes, such as tags: it ends where `isWhole` finds that it can be decoded.
 * @throws {MediaTaskError} without a frame, and at an incomplete one where only the frames tell the length
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
  let at = firstFrame(window);
  for (;;) {
    if (window.length - at < maxFrameBytes + maxHeaderBytes && reader.remaining > 0) {
      window = Buffer.concat([window.subarray(at), await reader.read(2 * maxFrameBytes)]);
      at = 0;
    }
    const header = readFrameHeader(window, at);
    if (header === null) return;
    const found = await findFrame(window.subarray(at), { header, isEnd: reader.remaining === 0, isWhole });
    if (found === null) {
      if (isLengthKnown) return;
      throw damaged("FLAC", "a frame is incomplete");
    }
    yield { bytes: found, samples: header.samples };
    at += found.length;
  }
}

function firstFrame(window: Uint8Array): number {
  for (let at = 0; at < window.length; at++) if (readFrameHeader(window, at) !== null) return at;
  throw damaged("FLAC", "its samples cannot be decoded");
}

/** The frame with which `window` begins; null when no end is right. */
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
