/** Number of slots that a cluster distributes among its masters. */
export const slotCount = 16_384;

/**
 * The slot of a key whose hash tag is the bucket's number (CRC-16/XMODEM; Redis cluster specification, Key distribution
 * model).
 */
export function slotOfBucket(bucket: number): number {
  let crc = 0;
  for (const character of String(bucket)) {
    crc ^= character.charCodeAt(0) << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc % slotCount;
}
