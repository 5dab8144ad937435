/** The span of times that one block can encode. */
export const maxAdmittedSpanMs = 65_535;

const baseBytes = 8;

/**
 * Encodes Unix milliseconds that span at most `maxAdmittedSpanMs`: the earliest as a float64, then each time's distance
 * from it in two bytes, little-endian. Empty for no times.
 */
export function encodeTimes(timesMs: readonly number[]): Buffer {
  if (timesMs.length === 0) return Buffer.alloc(0);
  const earliestMs = timesMs.reduce((earliest, timeMs) => Math.min(earliest, timeMs));
  const bytes = Buffer.alloc(baseBytes + 2 * timesMs.length);
  bytes.writeDoubleLE(earliestMs);
  for (const [index, timeMs] of timesMs.entries()) bytes.writeUInt16LE(timeMs - earliestMs, baseBytes + 2 * index);
  return bytes;
}

/** Decodes the bytes of `encodeTimes`. */
export function decodeTimes(bytes: Buffer): number[] {
  if (bytes.length === 0) return [];
  const earliestMs = bytes.readDoubleLE();
  return Array.from(
    { length: (bytes.length - baseBytes) / 2 },
    (_, index) => earliestMs + bytes.readUInt16LE(baseBytes + 2 * index),
  );
}
