const [startOfImage, endOfImage] = [0xd8, 0xd9];

/** Markers (ITU-T T.81, B.1.1) without a length: those of restarts, and the start of an image. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= startOfImage);

/** Whether a JPEG has the marker of its end, behind its segments and scans: pictures within them have their own. */
export function hasJpegEnd(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1] as number;
    if (marker === endOfImage) return true;
    // In scans, a zero stands for no marker; any number of 0xff may fill the space before one.
    if (marker === 0xff) at += 1;
    else if (marker === 0 || isBare(marker)) at += 2;
    else if (at + 4 > bytes.length) return false;
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return false;
}
