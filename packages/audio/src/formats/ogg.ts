import { OggVorbisDecoder } from "@wasm-audio-decoders/ogg-vorbis";
import { unusable } from "../media-task.ts";
import type { AudioBlock, AudioStream } from "./audio-stream.ts";
import type { ByteReader } from "./byte-reader.ts";
import { damaged, unsupported } from "./faults.ts";
import { type OggPage, oggPages } from "./ogg-pages.ts";
import { VorbisTimeline } from "./vorbis-timeline.ts";
import { blockOf } from "./wasm-blocks.ts";

// RFC 3533 (Ogg) and the Vorbis I specification.

const identificationBytes = 30;
const lastPageFlag = 0x04;
/** Other codecs in Ogg, by the start of their first packet. */
const codecs: readonly (readonly [magic: string, name: string])[] = [
  ["OpusHead", "Opus audio"],
  ["\x7fFLAC", "FLAC audio"],
  ["Speex   ", "Speex audio"],
  ["\x80theora", "video"],
  ["PCM     ", "PCM audio"],
];

interface Shape {
  channels: number;
  sampleRate: number;
}

/** Opens the first Vorbis stream of a file. Ignores concurrent streams. Appends Vorbis streams that follow it. */
export async function openOgg(reader: ByteReader): Promise<AudioStream> {
  const start = reader.position;
  const shape = await findVorbis(reader);
  reader.position = start;
  let encodedBytes = 0;
  const count = (page: OggPage) => {
    encodedBytes += page.bytes.length;
  };
  return {
    format: "ogg",
    ...shape,
    blocks: decodedBlocks(reader, { shape, count }),
    encodedBytes: () => encodedBytes,
  };
}

/**
 * Finds the shape of the first Vorbis stream. The first pages of all concurrent streams come before all other pages.
 */
async function findVorbis(reader: ByteReader): Promise<Shape> {
  const others: string[] = [];
  for await (const page of oggPages(reader)) {
    if (!page.isFirst) break;
    const shape = readIdentification(page);
    if (shape !== null) return shape;
    const text = String.fromCharCode(...page.body.subarray(0, 8));
    const other = codecs.find(([magic]) => text.startsWith(magic));
    if (other !== undefined) others.push(other[1]);
  }
  if (others.length === 0) throw unusable("The Ogg file has no audio that can be read here: export WAV, FLAC or MP3.");
  throw unsupported("Ogg", others.join(" and "), "export WAV, FLAC or MP3");
}

/** Parses the first page of a Vorbis stream. Returns null for any other page. */
function readIdentification({ isFirst, body }: OggPage): Shape | null {
  if (!isFirst || String.fromCharCode(...body.subarray(0, 7)) !== "\x01vorbis") return null;
  if (body.length < identificationBytes) throw damaged("Ogg", "its header is cut off");
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  return { channels: view.getUint8(11), sampleRate: view.getUint32(12, true) };
}

async function* decodedBlocks(
  reader: ByteReader,
  { shape, count }: { shape: Shape; count: (page: OggPage) => void },
): AsyncGenerator<AudioBlock> {
  let stream: VorbisStream | null = null;
  let isFirstPage = true;
  try {
    for await (const page of oggPages(reader)) {
      const newShape = readIdentification(page);
      // Decodes only the first of several concurrent streams.
      if (newShape !== null && (stream === null || !isFirstPage)) {
        if (newShape.sampleRate !== shape.sampleRate || newShape.channels !== shape.channels)
          throw unusable(
            "The Ogg file has several recordings of different sample rates or channels, one after the other: export it again, as WAV, FLAC or MP3.",
          );
        if (stream !== null) yield* stream.end();
        stream?.free();
        stream = await VorbisStream.open(page.serial, shape);
      }
      isFirstPage = page.isFirst;
      if (page.serial !== stream?.serial) continue;
      count(page);
      yield* await stream.add(page);
    }
    if (stream !== null) yield* stream.end();
  } finally {
    stream?.free();
  }
}

class VorbisStream {
  readonly serial: number;
  readonly #shape: Shape;
  readonly #decoder = new OggVorbisDecoder();
  readonly #timeline: VorbisTimeline;
  #hasStarted = false;

  private constructor(serial: number, shape: Shape) {
    this.serial = serial;
    this.#shape = shape;
    this.#timeline = new VorbisTimeline(shape.sampleRate);
  }

  static async open(serial: number, shape: Shape): Promise<VorbisStream> {
    const stream = new VorbisStream(serial, shape);
    await stream.#decoder.ready;
    return stream;
  }

  async add({ bytes, granule, isLast }: OggPage): Promise<AudioBlock[]> {
    const page = Uint8Array.from(bytes);
    // Clears the flag of the last page, at which the decoder would trim the end by the granule position. In a recorded
    // live stream the granule positions do not start at 0, so it would trim too much.
    page[5] = (page[5] as number) & ~lastPageFlag;
    // The decoder decodes a page only when it gets the first byte of the next page, which is the same for all pages.
    const chunk = Buffer.concat([page.subarray(this.#hasStarted ? 1 : 0), page.subarray(0, 1)]);
    this.#hasStarted = true;
    const block = await blockOf(() => this.#decoder.decode(chunk), {
      ...this.#shape,
      isStrict: true,
      fault: (cause) => damaged("Ogg", "its samples cannot be decoded", cause),
    });
    return this.#timeline.add(block, { granule, isLast });
  }

  end(): AudioBlock[] {
    return this.#timeline.end();
  }

  free(): void {
    this.#decoder.free();
  }
}
