import { FLACDecoder } from "@wasm-audio-decoders/flac";
import type { AudioStream } from "./audio-stream.ts";
import type { ByteReader } from "./byte-reader.ts";
import { damaged } from "./faults.ts";
import { wasmBlocks } from "./wasm-blocks.ts";
import { withEnd } from "./with-end.ts";

// RFC 9639. Metadata blocks other than STREAMINFO, such as pictures, are skipped here and never decoded.

const maxMetadataBlocks = 1000;
const streamInfoBytes = 34;

export async function openFlac(reader: ByteReader): Promise<AudioStream> {
  const info = await readStreamInfo(reader);
  const packed = info.getUint32(10);
  const sampleRate = packed >>> 12;
  const channels = ((packed >>> 9) & 7) + 1;
  const frames = (info.getUint8(13) & 0x0f) * 2 ** 32 + info.getUint32(14);
  const blocks = wasmBlocks(reader, () => new FLACDecoder(), {
    prefix: streamHead(info),
    channels,
    sampleRate,
    isStrict: true,
    fault: (cause) => damaged("FLAC", "its samples cannot be decoded", cause),
  });
  return {
    format: "flac",
    sampleRate,
    channels,
    bitDepth: ((packed >>> 4) & 0x1f) + 1,
    // 0 where the encoder did not know.
    blocks: frames === 0 ? blocks : withEnd("FLAC", blocks, frames),
  };
}

/** Reads all metadata blocks. */
async function readStreamInfo(reader: ByteReader): Promise<DataView> {
  await reader.read(4);
  let info: DataView | null = null;
  for (let blocks = 0; blocks < maxMetadataBlocks; blocks++) {
    const header = await reader.view(4);
    if (header === null) break;
    const type = header.getUint8(0) & 0x7f;
    const size = header.getUint32(0) & 0xffffff;
    const next = reader.position + size;
    if (type === 0 && size === streamInfoBytes) info = await reader.view(size);
    reader.position = next;
    if (header.getUint8(0) >= 0x80) {
      if (info === null) break;
      return info;
    }
  }
  throw damaged("FLAC", "its header is cut off");
}

/** A FLAC stream's beginning with STREAMINFO as its only metadata block. */
function streamHead(info: DataView): Uint8Array {
  const head = new Uint8Array(8 + streamInfoBytes);
  head.set([0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, streamInfoBytes]);
  head.set(new Uint8Array(info.buffer, info.byteOffset, streamInfoBytes), 8);
  return head;
}
