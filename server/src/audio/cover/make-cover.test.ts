import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Transformer } from "@napi-rs/image";
import { expect, test } from "vitest";
import { png, webpWithinCanvas } from "../../../test/harness/media/bombs.ts";
import { mediaFile, mediaFolder } from "../../../test/harness/media/files.ts";
import type { Cover } from "../media-task.ts";
import { makeCover } from "./make-cover.ts";
import { pictureSize } from "./picture-size.ts";

/** The left half red, the right half blue. */
function picture(width: number, height: number, alpha = 255): Transformer {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++)
    pixels.set(at % width < width / 2 ? [255, 0, 0, 255] : [0, 0, 255, alpha], at * 4);
  return Transformer.fromRgbaPixels(pixels, width, height);
}

async function cover(bytes: Uint8Array): Promise<Cover & { jpeg: Buffer; pixel(x: number, y: number): number[] }> {
  const outDir = await mediaFolder();
  const made = await makeCover({ input: await mediaFile(bytes), outDir });
  const jpeg = await readFile(join(outDir, "cover.jpg"));
  const pixels = await new Transformer(jpeg).rawPixels();
  const pixel = (x: number, y: number) => [...pixels.subarray((y * made.width + x) * 3, (y * made.width + x) * 3 + 3)];
  return { ...made, jpeg, pixel };
}

const red = [254, 0, 0];
const near = (colour: number[], expected: number[]) =>
  expect(
    colour.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 12),
    `${colour}`,
  ).toBe(true);

test("PNG, JPEG and WebP become JPEG of the same picture", async () => {
  const [opaque, lossy] = [picture(64, 48), picture(64, 48)];
  for (const bytes of [await opaque.png(), await lossy.jpeg(95), await opaque.webpLossless(), await lossy.webp(90)]) {
    const made = await cover(bytes);
    expect(made).toMatchObject({ width: 64, height: 48, bytes: made.jpeg.length });
    near(made.pixel(5, 5), red);
    near(made.pixel(60, 40), [0, 0, 254]);
  }
});

test("a large cover fits into a square of 1,500 pixels; a small one keeps its size", async () => {
  expect(await cover(await picture(2000, 1000).jpeg())).toMatchObject({ width: 1500, height: 750 });
  expect(await cover(await picture(1000, 1600).jpeg())).toMatchObject({ width: 938, height: 1500 });
  expect(await cover(await picture(1500, 1500).jpeg())).toMatchObject({ width: 1500, height: 1500 });
});

test("transparent parts are white", async () => {
  for (const bytes of [await picture(64, 64, 0).png(), await picture(64, 64, 0).webpLossless()]) {
    const made = await cover(bytes);
    near(made.pixel(5, 5), red);
    near(made.pixel(60, 60), [255, 255, 255]);
  }
});

test("EXIF turns the picture and is gone", async () => {
  const jpeg = await picture(64, 32).jpeg(95);
  // Orientation 6: to be turned clockwise by a quarter.
  const exif = Buffer.concat([
    Buffer.from("ffe1002e", "hex"),
    Buffer.from("Exif\0\0MM\0*\0\0\0\x08", "latin1"),
    Buffer.from("0001011200030000000100060000", "hex"),
    Buffer.alloc(4),
    Buffer.from("SecretPlace!", "latin1"),
  ]);
  const turned = Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
  expect(turned.includes("SecretPlace")).toBe(true);
  const made = await cover(turned);
  expect(made).toMatchObject({ width: 32, height: 64 });
  near(made.pixel(16, 5), red);
  expect(made.jpeg.includes("Exif")).toBe(false);
  expect(made.jpeg.includes("SecretPlace")).toBe(false);
});

test.each<[string, RegExp, () => Buffer | Promise<Buffer>]>([
  ["nothing", /no picture that can be read here/, () => Buffer.alloc(0)],
  ["a GIF", /export it as PNG, JPEG or WebP/, () => Buffer.from("GIF89a")],
  ["a PNG of 4 gigapixels in a few kB", /65000 × 65000 pixels: make it smaller/, () => png(65_000, 65_000)],
  ["a PNG a little over 50 megapixels", /smaller than 50 megapixels/, () => png(50_000_001, 1)],
  ["a WebP larger than its canvas", /16000 × 16000 pixels/, () => webpWithinCanvas(16_000, 16_000)],
  ["a PNG that is cut off", /is damaged/, async () => (await picture(64, 64).png()).subarray(0, 100)],
  ["a JPEG without a picture", /is damaged/, async () => (await picture(64, 64).jpeg()).subarray(0, 20)],
  ["more than 20 MB", /more than 20 MB/, () => Buffer.alloc(20_000_001)],
])("refused with a reason: %s", async (_what, reason, make) => {
  await expect(cover(await make())).rejects.toMatchObject({ reason: expect.stringMatching(reason), isFinal: true });
});

test("a header is read without decoding, and the largest of several counts", async () => {
  const jpeg = await picture(64, 48).jpeg();
  expect(pictureSize("jpeg", jpeg)).toEqual({ width: 64, height: 48 });
  const second = Buffer.from("ffc0000b08ffffffff01011100", "hex");
  expect(pictureSize("jpeg", Buffer.concat([jpeg.subarray(0, 2), second, jpeg.subarray(2)]))).toEqual({
    width: 65_535,
    height: 65_535,
  });
  expect(pictureSize("png", png(0, 7))).toBeNull();
});
