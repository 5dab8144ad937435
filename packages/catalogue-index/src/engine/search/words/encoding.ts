// Texts as bytes: each UTF-16 code unit takes one to three bytes, as in UTF-8 without surrogate pairs. So the bytes
// sort like JavaScript's strings, and any string can be restored.

/** Maximum bytes of a code unit. */
export const bytesOfUnit = 3;

/** Returns the end of the encoded text. `bytes` must have enough room. */
export function encodeInto(text: string, bytes: Uint8Array, from: number): number {
  let end = from;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes[end++] = unit;
    else {
      if (unit < 0x800) bytes[end++] = 0xc0 | (unit >>> 6);
      else {
        bytes[end++] = 0xe0 | (unit >>> 12);
        bytes[end++] = 0x80 | ((unit >>> 6) & 0x3f);
      }
      bytes[end++] = 0x80 | (unit & 0x3f);
    }
  }
  return end;
}

/** Writes the code units of a text into `units`, and returns their number. */
export function decodeInto(bytes: Uint8Array, start: number, end: number, units: Uint16Array): number {
  let length = 0;
  for (let index = start; index < end; ) {
    const byte = bytes[index++] as number;
    if (byte < 0x80) units[length++] = byte;
    else if (byte < 0xe0) units[length++] = ((byte & 0x1f) << 6) | ((bytes[index++] as number) & 0x3f);
    else {
      const middle = (bytes[index++] as number) & 0x3f;
      units[length++] = ((byte & 0x0f) << 12) | (middle << 6) | ((bytes[index++] as number) & 0x3f);
    }
  }
  return length;
}

export function decode(bytes: Uint8Array, start: number, end: number): string {
  for (let at = start; at < end; at++) if ((bytes[at] as number) >= 0x80) return decodeUnits(bytes, start, end);
  // Four times as fast as letter by letter.
  return latin1Slice.call(bytes, start, end);
}

const { latin1Slice } = Buffer.prototype;

function decodeUnits(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let index = start; index < end; ) {
    const byte = bytes[index++] as number;
    if (byte < 0x80) text += String.fromCharCode(byte);
    else if (byte < 0xe0) text += String.fromCharCode(((byte & 0x1f) << 6) | ((bytes[index++] as number) & 0x3f));
    else {
      const middle = (bytes[index++] as number) & 0x3f;
      text += String.fromCharCode(((byte & 0x0f) << 12) | (middle << 6) | ((bytes[index++] as number) & 0x3f));
    }
  }
  return text;
}

/** Returns below 0 if the bytes of `a` from `startA` to `endA` come before those of `b`. */
export function compareBytes(
  a: Uint8Array,
  startA: number,
  endA: number,
  b: Uint8Array,
  startB: number,
  endB: number,
): number {
  const shared = Math.min(endA - startA, endB - startB);
  for (let index = 0; index < shared; index++) {
    const difference = (a[startA + index] as number) - (b[startB + index] as number);
    if (difference !== 0) return difference;
  }
  return endA - startA - (endB - startB);
}
