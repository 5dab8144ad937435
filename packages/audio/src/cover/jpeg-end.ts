const startOfImage = 0xd8;
const endOfImage = 0xd9;

/** Whether a marker (ITU-T T.81, B.1.1) has no length: TEM, a restart marker, or the start of an image. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= startOfImage);

/** Whether a JPEG has its end marker. Skips segments, since a thumbnail in a segment has its own end marker. */
export function hasJpegEnd(bytes: Buffer): boolean {
  for (
    let offset = bytes.indexOf(0xff);
    offset >= 0 && offset + 1 < bytes.length;
    offset = bytes.indexOf(0xff, offset)
  ) {
    const marker = bytes[offset + 1] as number;
    if (marker === endOfImage) return true;
    // In scans, 0xff 0x00 is not a marker. Any number of 0xff may precede a marker.
    if (marker === 0xff) offset += 1;
    else if (marker === 0 || isBare(marker)) offset += 2;
    else if (offset + 4 > bytes.length) return false;
    else offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  return false;
}
