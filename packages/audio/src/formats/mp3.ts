import { MPEGDecoder } from "mpg123-decoder";
import type { AudioStream } from "./audio-stream.ts";
import type { ByteReader } from "./byte-reader.ts";
import { damaged, unread } from "./faults.ts";
import { announcedFrames, hasFreeBitRate, type Mp3FrameHeader, readMp3Header } from "./mp3-frame.ts";
import { wasmBlocks } from "./wasm-blocks.ts";
import { withEnd } from "./with-end.ts";

/** The first frame is looked for in so many bytes. */
const searchedBytes = 256 * 1024;
/** Opens MP3 at its first frame, behind any ID3v2 tags. */
export async function openMp3(reader: ByteReader): Promise<AudioStream> {
  const start = reader.position;
  const head = await reader.read(searchedBytes);
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const found = findFirstFrame(view);
  if (found === null && hasFreeBitRate(view, 0))
    throw unread("MP3", "a free bit rate", "export it with a bit rate of 320 kbit/s or below, or as WAV or FLAC");
  if (found === null) throw damaged("MP3", "it has no frames of layer III");
  const { header, offset } = found;
  reader.position = start + offset;
  const { sampleRate, channels } = header;
  const blocks = wasmBlocks(reader, () => new MPEGDecoder(), {
    channels,
    sampleRate,
    isStrict: false,
    fault: (cause) => damaged("MP3", "its samples cannot be decoded", cause),
  });
  const announced = announcedFrames(view, offset, header);
  // What the encoder adds at both ends is announced and not decoded.
  const end = { announced, tolerated: sampleRate / 4 };
  return { format: "mp3", sampleRate, channels, blocks: announced === 0 ? blocks : withEnd("MP3", blocks, end) };
}

/** The first header that another one follows, so that bytes which look like one are passed over. */
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
