import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Metadata } from "sharp";
import { sniff } from "../formats/sniff.ts";
import { type Cover, unusable } from "../media-task.ts";
import { hasJpegEnd } from "./jpeg-end.ts";

const MB = 1_000_000;
const maxBytes = 20 * MB;
const maxPixels = 50_000_000;
/** The longest side of a cover in pixels. Smaller pictures are not enlarged. */
const maxSide = 1500;
/** The side of the small cover in pixels, which is twice the size at which a frame on another site shows it. */
const smallSide = 144;
/**
 * Six covers and the page of a frame take at most 30 kB. Most covers fit at the first quality, and noise at the last
 * one.
 */
const maxSmallBytes = 3_500;
const smallQualities = [70, 50, 30, 15, 5];
// The memory for a cover, measured at 50 megapixels in every format: `baseBytes` for Node and the decoder, and space
// for this number of `rows`.
const baseBytes = 150 * MB;
const rows = 1200;
const bytesPerSample: Record<string, number> = { uchar: 1, ushort: 2 };

// The process decodes only one picture, so a cache is useless. More threads would need more memory.
sharp.cache(false);
sharp.concurrency(1);
// Allows only these decoders, whatever the content of a file.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"],
});

/**
 * Writes `cover.jpg` and `cover-small.webp` from PNG, JPEG or WebP. Applies the EXIF orientation, converts the color
 * profile to sRGB, removes all metadata, and fills transparent parts with white.
 * @throws {MediaTaskError} if the file has another type, or is empty, cut off, damaged or too large
 */
export async function makeCover({
  input,
  outDir,
  maxMemoryBytes,
}: {
  input: string;
  outDir: string;
  maxMemoryBytes: number;
}): Promise<Cover> {
  const { size } = await stat(input);
  if (size === 0) throw unusable("The cover is empty: export or upload it again.");
  if (size > maxBytes) throw unusable("The cover has more than 20 MB: make it smaller.");
  const bytes = await readFile(input);
  const type = sniff(bytes);
  if (type !== "png" && type !== "jpeg" && type !== "webp")
    throw unusable("The cover is not a picture that can be read here: export it as PNG, JPEG or WebP.");
  // The decoder accepts zeros instead of the end of a JPEG, which an unfinished download may have.
  if (type === "jpeg" && !hasJpegEnd(bytes)) refuseDamaged("no end of image");
  // `checkSize` limits the pixels instead, since its reason has their number.
  const header = await sharp(bytes, { limitInputPixels: false }).metadata().catch(refuseDamaged);
  checkSize(header, maxMemoryBytes);
  const { data, info } = await sharp(bytes, { failOn: "warning", limitInputPixels: maxPixels })
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .toColorspace("srgb")
    .jpeg({ quality: 88, chromaSubsampling: "4:4:4" })
    .toBuffer({ resolveWithObject: true })
    .catch(refuseDamaged);
  await writeFile(join(outDir, "cover.jpg"), data);
  await writeFile(join(outDir, "cover-small.webp"), await makeSmall(data));
  return { width: info.width, height: info.height, bytes: data.length };
}

/** The middle of a cover as a small square. */
async function makeSmall(jpeg: Buffer): Promise<Buffer> {
  const pixels = await sharp(jpeg).resize(smallSide, smallSide).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = pixels.info;
  let small = pixels.data;
  for (const quality of smallQualities) {
    small = await sharp(pixels.data, { raw: { width, height, channels } }).webp({ quality }).toBuffer();
    if (small.length <= maxSmallBytes) break;
  }
  return small;
}

function refuseDamaged(cause: unknown): never {
  throw unusable("The cover is cut off or damaged: export it again, as PNG, JPEG or WebP.", cause);
}

/**
 * Refuses a picture by its header, before anything is decoded: more than 50 megapixels, or too much memory.
 */
function checkSize(header: Metadata, maxMemoryBytes: number): void {
  const problem = `The cover has ${header.width} × ${header.height} pixels`;
  if (header.width * header.height > maxPixels) throw unusable(`${problem}: make it at most 50 megapixels.`);
  const requiredBytes = neededBytes(header);
  if (requiredBytes <= maxMemoryBytes) return;
  const remedy = header.isProgressive
    ? "save it without progressive or interlaced rows, or make it smaller"
    : "make it smaller";
  throw unusable(
    `${problem} and takes ${Math.ceil(requiredBytes / MB)} MB of memory to read, of ${Math.floor(maxMemoryBytes / MB)} MB: ${remedy}.`,
  );
}

/**
 * The memory that a picture needs. Until the last pass is read, the decoder stores all coefficients of a progressive
 * JPEG (two bytes each), and all samples of an interlaced PNG.
 */
function neededBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  const bytesPerPixel = channels * (bytesPerSample[depth] ?? 4);
  let storedBytesPerPixel = 0;
  if (isProgressive) storedBytesPerPixel = format === "jpeg" ? 2 * channels : bytesPerPixel;
  return baseBytes + rows * Math.max(width, height) * bytesPerPixel + width * height * storedBytesPerPixel;
}
