import { MPEGDecoder } from "mpg123-decoder";
import type { AudioStream } from "./audio-stream.ts";
import type { ByteReader } from "./byte-reader.ts";
import { damaged, unsupported } from "./faults.ts";
import { announcedFrames, hasFreeBitRate, type Mp3FrameHeader, readMp3Header } from "./mp3-frame.ts";
import { wasmBlocks } from "./wasm-blocks.ts";
import { withLengthCheck } from "./with-length-check.ts";

/** The first frame must begin within this distance. */
const searchedBytes = 256 * 1024;

/** Opens MP3 at its first frame. The reader must be after any ID3v2 tags. */
export async function openMp3(reader: ByteReader): Promise<AudioStream> {
  const start = reader.position;
  const head = await reader.read(searchedBytes);
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const firstFrame = findFirstFrame(view);
  if (firstFrame === null && hasFreeBitRate(view, 0))
    throw unsupported("MP3", "a free bit rate", "export it with a bit rate of 320 kbit/s or below, or as WAV or FLAC");
  if (firstFrame === null) throw damaged("MP3", "it has no frames of layer III");
  const { header, offset } = firstFrame;
  reader.position = start + offset;
  const { sampleRate, channels } = header;
  const blocks = wasmBlocks(reader, () => new MPEGDecoder(), {
    channels,
    sampleRate,
    isStrict: false,
    fault: (cause) => damaged("MP3", "its samples cannot be decoded", cause),
  });
  const expected = announcedFrames(view, offset, header);
  // The announced number includes the padding of the encoder at both ends, which is not decoded.
  const length = { expected, tolerance: sampleRate / 4 };
  return {
    format: "mp3",
    sampleRate,
    channels,
    blocks: expected === 0 ? blocks : withLengthCheck("MP3", blocks, length),
  };
}

/** Finds the first frame that another frame follows. Thus skips bytes that only look like a header. */
function findFirstFrame(view: DataView): { header: Mp3FrameHeader; offset: number } | null {
  for (let offset = 0; offset + 4 <= view.byteLength; offset++) {
    const header = readMp3Header(view, offset);
    if (header === null) continue;
    const next = offset + header.bytes;
    if (next + 4 > view.byteLength) continue;
    if (readMp3Header(view, next)?.sampleRate === header.sampleRate) return { header, offset };
  }
  return null;
}
