import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { JsColorType, ResizeFit, Transformer } from "@napi-rs/image";
import { sniff } from "../formats/sniff.ts";
import { type Cover, unusable } from "../media-task.ts";
import { pictureSize } from "./picture-size.ts";

const maxBytes = 20 * 1000 * 1000;
const maxPixels = 50_000_000;
/** The square that a cover fits into. Smaller ones stay as they are. */
const maxSide = 1500;
const quality = 88;
const withAlpha = new Set([
  JsColorType.La8,
  JsColorType.Rgba8,
  JsColorType.La16,
  JsColorType.Rgba16,
  JsColorType.Rgba32F,
]);

/**
 * Writes `cover.jpg` from PNG, JPEG or WebP: upright by its EXIF orientation, without metadata, on white where it is
 * transparent.
 * @throws {MediaTaskError} when the file is no such picture, damaged or too large
 */
export async function makeCover({ input, outDir }: { input: string; outDir: string }): Promise<Cover> {
  if ((await stat(input)).size > maxBytes) throw unusable("The cover has more than 20 MB: make it smaller.");
  const bytes = await readFile(input);
  const type = sniff(bytes);
  if (type !== "png" && type !== "jpeg" && type !== "webp")
    throw unusable("The cover is no picture that can be read here: export it as PNG, JPEG or WebP.");
  const size = pictureSize(type, bytes);
  if (size === null) throw damagedPicture();
  if (size.width * size.height > maxPixels)
    throw unusable(`The cover has ${size.width} × ${size.height} pixels: make it smaller than 50 megapixels.`);
  try {
    const jpeg = await reencode(bytes, Math.max(size.width, size.height) > maxSide);
    await writeFile(join(outDir, "cover.jpg"), jpeg);
    return { ...(pictureSize("jpeg", jpeg) as { width: number; height: number }), bytes: jpeg.length };
  } catch (error) {
    throw damagedPicture(error);
  }
}

const damagedPicture = (cause?: unknown) =>
  unusable("The cover is damaged and cannot be decoded: export it again, as PNG, JPEG or WebP.", cause);

async function reencode(bytes: Uint8Array, isTooLarge: boolean): Promise<Buffer> {
  const picture = new Transformer(bytes).rotate();
  if (isTooLarge) picture.resize({ width: maxSide, height: maxSide, fit: ResizeFit.Inside });
  if (!withAlpha.has((await new Transformer(bytes).metadata()).colorType)) return picture.jpeg(quality);
  const png = await picture.png();
  const { width, height } = pictureSize("png", png) as { width: number; height: number };
  const white = Transformer.fromRgbaPixels(new Uint8Array(width * height * 4).fill(255), width, height);
  return white.overlay(png, 0, 0).jpeg(quality);
}
