// RFC 9639, section 9: the header of a frame ends with its CRC-8, and a frame ends with the CRC-16 of the whole frame.

export interface FlacFrameHeader {
  bytes: number;
  /** Samples per channel. */
  samples: number;
}

/** The longest header. */
export const maxHeaderBytes = 16;
const crc8Table = crcTable(0x07, 8);
const crc16Table = crcTable(0x8005, 16);

/** Parses the header at `offset`. Returns null if no header is there. */
export function readFrameHeader(bytes: Uint8Array, offset: number): FlacFrameHeader | null {
  const [sync = 0, strategy = 0, sizes = 0, shape = 0, number = 0] = bytes.subarray(offset, offset + 5);
  if (sync !== 0xff || (strategy & 0xfe) !== 0xf8) return null;
  const blockCode = sizes >>> 4;
  const rateCode = sizes & 15;
  const channelCode = shape >>> 4;
  const depthCode = (shape >>> 1) & 7;
  if (blockCode === 0 || rateCode === 15 || channelCode > 10 || depthCode === 3 || (shape & 1) === 1) return null;
  const numberBytes = number < 0x80 ? 1 : Math.clz32(~(number << 24));
  if (numberBytes > 7) return null;
  const blockAt = offset + 4 + numberBytes;
  const end = blockAt + blockFieldBytes(blockCode) + rateFieldBytes(rateCode);
  if (end >= bytes.length) return null;
  let crc = 0;
  for (let index = offset; index < end; index++) crc = crc8Table[crc ^ (bytes[index] as number)] as number;
  if (crc !== bytes[end]) return null;
  return { bytes: end + 1 - offset, samples: blockSamples(blockCode, bytes, blockAt) };
}

/** The size of the field for a block size that the code does not determine. */
function blockFieldBytes(code: number): number {
  if (code === 6) return 1;
  return code === 7 ? 2 : 0;
}

/** The size of the field for a sample rate that the code does not determine. */
function rateFieldBytes(code: number): number {
  if (code === 12) return 1;
  return code > 12 ? 2 : 0;
}

function blockSamples(code: number, bytes: Uint8Array, offset: number): number {
  const [first = 0, second = 0] = bytes.subarray(offset, offset + 2);
  if (code === 1) return 192;
  if (code <= 5) return 144 * 2 ** code;
  if (code === 6) return first + 1;
  if (code === 7) return first * 256 + second + 1;
  return 2 ** code;
}

/**
 * The possible ends of the frame at `offset`: each offset at which the CRC-16 matches. One in 65,536 offsets matches by
 * chance. If zeros follow the frame, the offsets after them match too.
 */
export function* frameEnds(bytes: Uint8Array, offset: number, headerBytes: number): Generator<number> {
  let crc = 0;
  for (let index = offset; index < bytes.length; index++) {
    crc = ((crc << 8) ^ (crc16Table[(crc >>> 8) ^ (bytes[index] as number)] as number)) & 0xffff;
    if (crc === 0 && index >= offset + headerBytes + 2) yield index + 1;
  }
}

function crcTable(polynomial: number, width: 8 | 16): Uint16Array {
  const top = 2 ** (width - 1);
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) remainder = remainder & top ? (remainder << 1) ^ polynomial : remainder << 1;
    return remainder & (2 ** width - 1);
  });
}
