import { OggVorbisDecoder } from "@wasm-audio-decoders/ogg-vorbis";
import { unusable } from "../media-task.ts";
import type { AudioBlock, AudioStream } from "./audio-stream.ts";
import { ascii, type ByteReader } from "./byte-reader.ts";
import { damaged } from "./faults.ts";
import { wasmBlocks } from "./wasm-blocks.ts";
import { withEnd } from "./with-end.ts";

// RFC 3533 (Ogg) and the Vorbis I specification.

const pageHeaderBytes = 27;
const maxPageBytes = 65_307;
const lastPage = 0x04;
const identificationBytes = 30;
/** What the last page cuts off is less. */
const maxPacketFrames = 8192;

export async function openOgg(reader: ByteReader): Promise<AudioStream> {
  const segments = (await reader.view(pageHeaderBytes))?.getUint8(26) ?? 0;
  await reader.read(segments);
  const packet = await reader.view(identificationBytes);
  if (packet === null) throw damaged("Ogg", "its header is cut off");
  if (ascii(packet, 0, 7) !== "\x01vorbis")
    throw unusable("The Ogg file has no Vorbis audio: export WAV, FLAC or MP3.");
  const channels = packet.getUint8(11);
  const sampleRate = packet.getUint32(12, true);
  const frames = await readLength(reader);
  reader.position = 0;
  const blocks = wasmBlocks(reader, () => new OggVorbisDecoder(), {
    prefix: new Uint8Array(0),
    channels,
    sampleRate,
    isStrict: true,
    fault: (cause) => damaged("Ogg", "its samples cannot be decoded", cause),
  });
  return {
    format: "ogg",
    sampleRate,
    channels,
    blocks: withEnd("Ogg", singleStream(blocks, frames), { announced: frames, tolerated: sampleRate / 4 }),
  };
}

/** Refuses chained streams: each has its own rate and channels, and the last page tells the length of the last one alone. */
async function* singleStream(blocks: AsyncIterable<AudioBlock>, announced: number): AsyncGenerator<AudioBlock> {
  let frames = 0;
  for await (const block of blocks) {
    frames += block[0]?.length ?? 0;
    if (frames > announced + maxPacketFrames)
      throw unusable("The Ogg file has several recordings, one after the other: export it again, as WAV, FLAC or MP3.");
    yield block;
  }
}

/** The frames of the stream, which its last page tells. */
async function readLength(reader: ByteReader): Promise<number> {
  reader.position = Math.max(0, reader.size - maxPageBytes);
  const tail = await reader.read(maxPageBytes);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length);
  for (let at = tail.length - pageHeaderBytes; at >= 0; at--) {
    if (tail[at] !== 0x4f || ascii(view, at, 4) !== "OggS") continue;
    if ((view.getUint8(at + 5) & lastPage) === 0) break;
    return Number(view.getBigInt64(at + 6, true));
  }
  throw unusable("The Ogg file is cut off: its end is missing. Export or upload it again.");
}
