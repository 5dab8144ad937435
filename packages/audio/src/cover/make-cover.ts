import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Metadata } from "sharp";
import { sniff } from "../formats/sniff.ts";
import { type Cover, unusable } from "../media-task.ts";
import { hasJpegEnd } from "./jpeg-end.ts";

const MB = 1_000_000;
const maxBytes = 20 * MB;
const maxPixels = 50 * MB;
/** The square that a cover fits into. Smaller ones stay as they are. */
const maxSide = 1500;
/** What memory a cover takes, as measured at 50 megapixels of every format: Node with the decoder, and so many rows. */
const baseBytes = 150 * MB;
const rows = 1200;
const bytesPerSample: Record<string, number> = { uchar: 1, ushort: 2 };

// One picture in the life of the process: nothing is worth caching, and each further thread holds rows of its own.
sharp.cache(false);
sharp.concurrency(1);
// Only these decoders may ever be called, whatever a file claims to be.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"],
});

/**
 * Writes `cover.jpg` from PNG, JPEG or WebP: upright by its EXIF orientation, in sRGB by its color profile, without
 * metadata, on white where it is transparent.
 * @throws {MediaTaskError} when the file is no such picture, cut off, damaged or too large
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
    throw unusable("The cover is no picture that can be read here: export it as PNG, JPEG or WebP.");
  // Zeros, of which an unfinished download has many, are decoded without complaint.
  if (type === "jpeg" && !hasJpegEnd(bytes)) refuseDamaged("no end of image");
  // The pixels are counted below, with a reason that says how many.
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
  return { width: info.width, height: info.height, bytes: data.length };
}

function refuseDamaged(cause: unknown): never {
  throw unusable("The cover is cut off or damaged: export it again, as PNG, JPEG or WebP.", cause);
}

/** Counts pixels and their bytes by the header: a few bytes can announce more than there is memory. */
function checkSize(header: Metadata, maxMemoryBytes: number): void {
  const what = `The cover has ${header.width} × ${header.height} pixels`;
  if (header.width * header.height > maxPixels) throw unusable(`${what}: make it smaller than 50 megapixels.`);
  const needed = neededBytes(header);
  if (needed <= maxMemoryBytes) return;
  const remedy = header.isProgressive
    ? "save it without progressive or interlaced rows, or make it smaller"
    : "make it smaller";
  throw unusable(
    `${what} and takes ${Math.ceil(needed / MB)} MB of memory to read, of ${Math.floor(maxMemoryBytes / MB)} MB: ${remedy}.`,
  );
}

/** A progressive JPEG is held as coefficients of two bytes, an interlaced PNG as samples, until the last pass is read. */
function neededBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  const bytesPerPixel = channels * (bytesPerSample[depth] ?? 4);
  const heldBytesPerPixel = isProgressive ? (format === "jpeg" ? 2 * channels : bytesPerPixel) : 0;
  return baseBytes + rows * Math.max(width, height) * bytesPerPixel + width * height * heldBytesPerPixel;
}
