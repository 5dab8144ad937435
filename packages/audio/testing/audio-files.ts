import { createMp3Encoder, createOggEncoder } from "wasm-media-encoders";
import type { Signal } from "./signals.ts";

// Encodes signals as WAV, AIFF, MP3, Ogg Vorbis and FLAC.

export type PcmEncoding = "u8" | "s8" | "s16" | "s24" | "s32" | "f32" | "f64";

const bytesOf = (encoding: PcmEncoding): number => Number(encoding.slice(1)) / 8;

/** Encodes a signal as interleaved samples, rounded to the nearest level. */
export function interleave({ channels }: Signal, encoding: PcmEncoding, isLittleEndian: boolean): Buffer {
  const frames = channels[0]?.length ?? 0;
  const size = bytesOf(encoding);
  const buffer = Buffer.alloc(frames * channels.length * size);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  let offset = 0;
  for (let frame = 0; frame < frames; frame++)
    for (const samples of channels) {
      const sample = samples[frame] ?? 0;
      if (encoding === "f32") view.setFloat32(offset, sample, isLittleEndian);
      else if (encoding === "f64") view.setFloat64(offset, sample, isLittleEndian);
      else {
        const scale = 2 ** (size * 8 - 1);
        const level = Math.max(-scale, Math.min(scale - 1, Math.round(sample * scale)));
        if (encoding === "u8") view.setUint8(offset, level + 128);
        else if (isLittleEndian) buffer.writeIntLE(level, offset, size);
        else buffer.writeIntBE(level, offset, size);
      }
      offset += size;
    }
  return buffer;
}

const u16 = (value: number): Buffer => Buffer.from(Uint16Array.of(value).buffer);
const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);

/** A chunk of RIFF, or of IFF if `isBigEndian`. */
export function chunk(name: string, body: Buffer, { isBigEndian = false, size = body.length } = {}): Buffer {
  const length = u32(size >>> 0);
  return Buffer.concat([
    Buffer.from(name, "latin1"),
    isBigEndian ? length.reverse() : length,
    body,
    Buffer.alloc(body.length % 2),
  ]);
}

/** Encodes a WAV file. The forms RF64 and BW64 have their sizes in a ds64 chunk. */
export function wav(
  audio: Signal,
  {
    encoding = "s16",
    form = "RIFF",
    isExtensible = false,
    dataSize,
    before = [],
  }: {
    encoding?: PcmEncoding;
    form?: string;
    /** Whether to write the extensible format chunk. */
    isExtensible?: boolean;
    /** The size in the data chunk's header, instead of the real size. */
    dataSize?: number;
    /** Chunks between the format chunk and the data chunk. */
    before?: Buffer[];
  } = {},
): Buffer {
  const body = interleave(audio, encoding, true);
  const channels = audio.channels.length;
  const bits = bytesOf(encoding) * 8;
  const tag = encoding.startsWith("f") ? 3 : 1;
  const frameBytes = (channels * bits) / 8;
  const format = Buffer.concat([
    u16(isExtensible ? 0xfffe : tag),
    u16(channels),
    u32(audio.sampleRate),
    u32(audio.sampleRate * frameBytes),
    u16(frameBytes),
    u16(bits),
    ...(isExtensible ? [u16(22), u16(bits), u32(0), u16(tag), Buffer.from("000000001000800000aa00389b71", "hex")] : []),
  ]);
  const isLong = form !== "RIFF";
  const sizes = Buffer.alloc(28);
  sizes.writeBigUInt64LE(BigInt(body.length), 8);
  return chunk(
    form,
    Buffer.concat([
      Buffer.from("WAVE"),
      ...(isLong ? [chunk("ds64", sizes)] : []),
      chunk("fmt ", format),
      ...before,
      chunk("data", body, { size: isLong ? 0xffffffff : (dataSize ?? body.length) }),
    ]),
    isLong ? { size: 0xffffffff } : {},
  );
}

/** Encodes an AIFF file, or AIFC if there is a `compression`. */
export function aiff(
  audio: Signal,
  {
    encoding = "s16",
    compression,
    isLittleEndian = false,
  }: { encoding?: PcmEncoding; compression?: string; isLittleEndian?: boolean } = {},
): Buffer {
  const common = Buffer.alloc(18);
  common.writeUInt16BE(audio.channels.length, 0);
  common.writeUInt32BE(audio.channels[0]?.length ?? 0, 2);
  common.writeUInt16BE(bytesOf(encoding) * 8, 6);
  const exponent = Math.floor(Math.log2(audio.sampleRate));
  common.writeUInt16BE(16_383 + exponent, 8);
  common.writeUInt32BE(audio.sampleRate * 2 ** (31 - exponent), 10);
  const compressionType = compression === undefined ? [] : [Buffer.from(`${compression}\0\0`, "latin1")];
  return chunk(
    "FORM",
    Buffer.concat([
      Buffer.from(compression === undefined ? "AIFF" : "AIFC"),
      chunk("COMM", Buffer.concat([common, ...compressionType]), { isBigEndian: true }),
      chunk("SSND", Buffer.concat([Buffer.alloc(8), interleave(audio, encoding, isLittleEndian)]), {
        isBigEndian: true,
      }),
    ]),
    { isBigEndian: true },
  );
}

/** Encodes an MP3 file with LAME, without an Info header. */
export async function mp3({ sampleRate, channels }: Signal, kbits: 128 | 320 = 128): Promise<Buffer> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate, channels: channels.length === 1 ? 1 : 2, bitrate: kbits });
  return Buffer.concat([Buffer.from(encoder.encode(channels)), Buffer.from(encoder.finalize())]);
}

/** Encodes an Ogg Vorbis file. */
export async function ogg({ sampleRate, channels }: Signal): Promise<Buffer> {
  const encoder = await createOggEncoder();
  encoder.configure({ sampleRate, channels: channels.length === 1 ? 1 : 2, vbrQuality: 3 });
  return Buffer.concat([Buffer.from(encoder.encode(channels)), Buffer.from(encoder.finalize())]);
}

const blockFrames = 4096;

/**
 * Encodes a FLAC file with verbatim subframes, without compression. If `isBare`, the frames omit sample rate and bit
 * depth.
 */
export function flac(
  { sampleRate, channels }: Signal,
  { pictureBytes = 0, bits = 16, isBare = false }: { pictureBytes?: number; bits?: 16 | 32; isBare?: boolean } = {},
): Buffer {
  const frames = channels[0]?.length ?? 0;
  const info = Buffer.alloc(34);
  info.writeUInt16BE(blockFrames, 0);
  info.writeUInt16BE(blockFrames, 2);
  info.writeUInt32BE(((sampleRate << 12) | ((channels.length - 1) << 9) | ((bits - 1) << 4)) >>> 0, 10);
  info.writeUInt32BE(frames, 14);
  const picture = Buffer.concat([metadataHeader(6, pictureBytes), Buffer.alloc(pictureBytes, 0xff)]);
  const parts = [Buffer.from("fLaC"), metadataHeader(0, 34), info, ...(pictureBytes > 0 ? [picture] : [])];
  parts.push(metadataHeader(0x81, 0));
  for (let start = 0, number = 0; start < frames; start += blockFrames, number++)
    parts.push(
      flacFrame(
        channels.map((samples) => samples.subarray(start, start + blockFrames)),
        { number, sampleRate, bits, isBare },
      ),
    );
  return Buffer.concat(parts);
}

const metadataHeader = (type: number, size: number): Buffer =>
  Buffer.of(type, size >>> 16, (size >>> 8) & 255, size & 255);

function flacFrame(
  channels: Float32Array[],
  {
    number,
    sampleRate,
    bits,
    isBare,
  }: {
    number: number;
    sampleRate: number;
    bits: 16 | 32;
    isBare: boolean;
  },
): Buffer {
  const frames = channels[0]?.length ?? 0;
  const codeOfBits = bits === 16 ? 0x08 : 0x0e;
  const sizeCode = isBare ? 0 : codeOfBits;
  // Independent channels. The block size and the sample rate have 16 bits each.
  const head = Buffer.concat([
    Buffer.of(0xff, 0xf8, isBare ? 0x70 : 0x7d, ((channels.length - 1) << 4) | sizeCode),
    Buffer.from(String.fromCodePoint(number), "utf8"),
    Buffer.of((frames - 1) >>> 8, (frames - 1) & 255),
    ...(isBare ? [] : [Buffer.of(sampleRate >>> 8, sampleRate & 255)]),
  ]);
  const subframes = channels.map((samples) =>
    Buffer.concat([Buffer.of(0x02), interleave({ sampleRate: 0, channels: [samples] }, `s${bits}`, false)]),
  );
  const frame = Buffer.concat([head, Buffer.of(crc(head, 0x07, 8)), ...subframes]);
  const check = crc(frame, 0x8005, 16);
  return Buffer.concat([frame, Buffer.of(check >>> 8, check & 255)]);
}

const crcTables = new Map<number, number[]>();

/** Computes a CRC byte by byte, with the most significant bit first. */
function crc(bytes: Buffer, polynomial: number, width: 8 | 16): number {
  const [top, mask] = [1 << (width - 1), (1 << width) - 1];
  let table = crcTables.get(polynomial);
  if (table === undefined) {
    table = Array.from({ length: 256 }, (_, byte) => {
      let remainder = byte << (width - 8);
      for (let bit = 0; bit < 8; bit++) remainder = remainder & top ? (remainder << 1) ^ polynomial : remainder << 1;
      return remainder & mask;
    });
    crcTables.set(polynomial, table);
  }
  let remainder = 0;
  for (const byte of bytes) {
    const index = ((remainder >>> (width - 8)) ^ byte) & 255;
    remainder = ((remainder << 8) ^ (table[index] as number)) & mask;
  }
  return remainder;
}
