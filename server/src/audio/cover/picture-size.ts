import { ascii } from "../formats/byte-reader.ts";

/** Width and height in pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

/**
 * The size that a picture's header announces, read before anything is decoded: a few bytes can announce more pixels than
 * there is memory. Null where the header cannot be read. What a decoder would allocate is never larger: where a file has
 * several headers, the largest counts.
 */
export function pictureSize(type: "png" | "jpeg" | "webp", bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = { png: pngSize, jpeg: jpegSize, webp: webpSize }[type](view);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

/** PNG (third edition): IHDR is the first chunk. */
function pngSize(view: DataView): PictureSize | null {
  if (view.byteLength < 24 || ascii(view, 12, 4) !== "IHDR") return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** ITU-T T.81: marker segments up to the scan; SOF0 to SOF15 but DHT, JPG and DAC. */
function jpegSize(view: DataView): PictureSize | null {
  let largest: PictureSize | null = null;
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // Fill bytes.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xda) break;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      largest = larger(largest, { height: view.getUint16(at + 5), width: view.getUint16(at + 7) });
    at += 2 + view.getUint16(at + 2);
  }
  return largest;
}

/** RFC 9649: the canvas of an extended file, and the frame of each bitstream. */
function webpSize(view: DataView): PictureSize | null {
  let largest: PictureSize | null = null;
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const name = ascii(view, at, 4);
    const size = view.getUint32(at + 4, true);
    const start = at + 8;
    if (start + 10 <= view.byteLength) {
      if (name === "VP8X")
        largest = larger(largest, { width: uint24(view, start + 4) + 1, height: uint24(view, start + 7) + 1 });
      if (name === "VP8 ")
        largest = larger(largest, {
          width: view.getUint16(start + 6, true) & 0x3fff,
          height: view.getUint16(start + 8, true) & 0x3fff,
        });
      if (name === "VP8L") {
        const bits = view.getUint32(start + 1, true);
        largest = larger(largest, { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 });
      }
    }
    at = start + size + (size % 2);
  }
  return largest;
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);

function larger(a: PictureSize | null, b: PictureSize): PictureSize {
  return a === null || b.width * b.height > a.width * a.height ? b : a;
}
