import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { chunk } from "../../testing/audio-files.ts";
import { png, webpWithinCanvas } from "../../testing/bombs.ts";
import { mediaFile, mediaFolder } from "../../testing/files.ts";
import { adobeRgb, displayP3 } from "../../testing/icc-profiles.ts";
import type { Cover } from "../media-task.ts";
import { makeCover } from "./make-cover.ts";

const maxMemoryBytes = 512 * 1024 * 1024;

/** A picture whose left half is red and whose right half is blue. */
function picture(width: number, height: number, alpha = 255): Sharp {
  const pixels = new Uint8Array(width * height * 4);
  for (let index = 0; index < width * height; index++)
    pixels.set(index % width < width / 2 ? [255, 0, 0, 255] : [0, 0, 255, alpha], index * 4);
  return sharp(pixels, { raw: { width, height, channels: 4 } });
}

async function cover(bytes: Uint8Array): Promise<Cover & { jpeg: Buffer; pixel(x: number, y: number): number[] }> {
  const outDir = await mediaFolder();
  const result = await makeCover({ input: await mediaFile(bytes), outDir, maxMemoryBytes });
  const jpeg = await readFile(join(outDir, "cover.jpg"));
  const pixels = await sharp(jpeg).raw().toBuffer();
  const pixel = (x: number, y: number) => {
    const offset = (y * result.width + x) * 3;
    return [...pixels.subarray(offset, offset + 3)];
  };
  return { ...result, jpeg, pixel };
}

const red = [254, 0, 0];
const near = (colour: number[], expected: number[]) =>
  expect(
    colour.every((value, index) => Math.abs(value - (expected[index] ?? 0)) < 12),
    `${colour}`,
  ).toBe(true);

test("PNG, JPEG and WebP are converted to a JPEG of the same picture", async () => {
  const wide = () => picture(64, 48);
  for (const file of [wide().png(), wide().jpeg({ quality: 95 }), wide().webp({ lossless: true }), wide().webp()]) {
    const result = await cover(await file.toBuffer());
    expect(result).toMatchObject({ width: 64, height: 48, bytes: result.jpeg.length });
    near(result.pixel(5, 5), red);
    near(result.pixel(60, 40), [0, 0, 254]);
  }
});

test("a large cover is scaled into a square of 1,500 pixels; a cover that fits keeps its size", async () => {
  expect(await cover(await picture(2000, 1000).jpeg().toBuffer())).toMatchObject({ width: 1500, height: 750 });
  expect(await cover(await picture(1000, 1600).jpeg().toBuffer())).toMatchObject({ width: 938, height: 1500 });
  expect(await cover(await picture(1500, 1500).jpeg().toBuffer())).toMatchObject({ width: 1500, height: 1500 });
});

test("the small cover is the middle of the picture, at most 3,500 bytes even of noise", async () => {
  const small = async (bytes: Uint8Array) => {
    const outDir = await mediaFolder();
    await makeCover({ input: await mediaFile(bytes), outDir, maxMemoryBytes });
    return readFile(join(outDir, "cover-small.webp"));
  };
  const middle = await small(await picture(400, 200).png().toBuffer());
  expect(await sharp(middle).metadata()).toMatchObject({ format: "webp", width: 144, height: 144 });
  const pixels = await sharp(middle).raw().toBuffer();
  near([...pixels.subarray(0, 3)], red);
  near([...pixels.subarray(143 * 3, 144 * 3)], [0, 0, 254]);
  const noise = sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } });
  expect((await small(await noise.png().toBuffer())).length).toBeLessThanOrEqual(3_500);
});

test("transparent parts are white", async () => {
  for (const file of [picture(64, 64, 0).png(), picture(64, 64, 0).webp({ lossless: true })]) {
    const result = await cover(await file.toBuffer());
    near(result.pixel(5, 5), red);
    near(result.pixel(60, 60), [255, 255, 255]);
  }
});

test("the EXIF orientation is applied, and EXIF is removed", async () => {
  const jpeg = await picture(64, 32).jpeg({ quality: 95 }).toBuffer();
  // Orientation 6: rotate by 90° clockwise.
  const exif = Buffer.concat([
    Buffer.from("ffe1002e", "hex"),
    Buffer.from("Exif\0\0MM\0*\0\0\0\x08", "latin1"),
    Buffer.from("0001011200030000000100060000", "hex"),
    Buffer.alloc(4),
    Buffer.from("SecretPlace!", "latin1"),
  ]);
  const withExif = Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
  expect(withExif.includes("SecretPlace")).toBe(true);
  const result = await cover(withExif);
  expect(result).toMatchObject({ width: 32, height: 64 });
  near(result.pixel(16, 5), red);
  expect(result.jpeg.includes("Exif")).toBe(false);
  expect(result.jpeg.includes("SecretPlace")).toBe(false);
});

describe("the EXIF orientation is applied", () => {
  // The expected side of the red half, by orientation.
  const places = {
    1: "left",
    2: "right",
    3: "right",
    4: "left",
    5: "top",
    6: "top",
    7: "bottom",
    8: "bottom",
  } as const;
  const points = { left: [5, 16], right: [59, 16], top: [16, 5], bottom: [16, 59] } as const;

  test.each(["jpeg", "png", "webp"] as const)("for all eight values, in %s", async (format) => {
    for (const [orientation, place] of Object.entries(places)) {
      const withOrientation = picture(64, 32).withMetadata({ orientation: Number(orientation) });
      const result = await cover(await withOrientation.toFormat(format, { lossless: true }).toBuffer());
      const isUpright = place === "left" || place === "right";
      expect(result, orientation).toMatchObject(isUpright ? { width: 64, height: 32 } : { width: 32, height: 64 });
      const [x, y] = points[place];
      near(result.pixel(x, y), red);
    }
  });
});

describe("colors are converted to sRGB", () => {
  const flat = (rgb: number[]) =>
    sharp(
      Uint8Array.from({ length: 32 * 32 * 3 }, (_, index) => rgb[index % 3] ?? 0),
      { raw: { width: 32, height: 32, channels: 3 } },
    );
  const withProfile: Record<string, (rgb: number[], profile: Buffer) => Promise<Buffer>> = {
    JPEG: async (rgb, profile) => {
      const jpeg = await flat(rgb).jpeg({ quality: 100, chromaSubsampling: "4:4:4" }).toBuffer();
      const body = Buffer.concat([Buffer.from("ICC_PROFILE\0\x01\x01", "latin1"), profile]);
      const head = Buffer.from([0xff, 0xe2, 0, 0]);
      head.writeUInt16BE(body.length + 2, 2);
      return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
    },
    PNG: async (rgb, profile) => {
      const file = await flat(rgb).png().toBuffer();
      const content = Buffer.concat([Buffer.from("iCCPprofile\0\0", "latin1"), deflateSync(profile)]);
      const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(content.length - 4);
      check.writeUInt32BE(crc32(content));
      return Buffer.concat([file.subarray(0, 33), length, content, check, file.subarray(33)]);
    },
    WebP: async (rgb, profile) => {
      const file = await flat(rgb).webp({ lossless: true }).toBuffer();
      const header = Buffer.from([0x20, 0, 0, 0, 31, 0, 0, 31, 0, 0]);
      const parts = [Buffer.from("WEBP"), chunk("VP8X", header), chunk("ICCP", profile), file.subarray(12)];
      return chunk("RIFF", Buffer.concat(parts));
    },
  };

  test.each(Object.keys(withProfile))("from Adobe RGB and Display P3, in %s", async (format) => {
    const make = withProfile[format] as (rgb: number[], profile: Buffer) => Promise<Buffer>;
    near((await cover(await make([150, 100, 100], adobeRgb))).pixel(9, 9), [165, 99, 99]);
    near((await cover(await make([150, 100, 100], displayP3))).pixel(9, 9), [157, 97, 98]);
    const result = await cover(await make([200, 100, 100], adobeRgb));
    near(result.pixel(9, 9), [226, 99, 98]);
    expect((await sharp(result.jpeg).metadata()).icc).toBeUndefined();
  });

  test("from CMYK with and without a profile, and from gray", async () => {
    const cyan = await flat([120, 150, 160]).toColorspace("cmyk").jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(cyan).metadata()).space).toBe("cmyk");
    near((await cover(cyan)).pixel(9, 9), [120, 150, 160]);
    const profiled = await flat([120, 150, 160]).withIccProfile("cmyk").jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(profiled).metadata()).icc?.length).toBeGreaterThan(1000);
    near((await cover(profiled)).pixel(9, 9), [120, 150, 160]);
    const gray = await cover(await flat([90, 90, 90]).toColorspace("b-w").png().toBuffer());
    near(gray.pixel(9, 9), [90, 90, 90]);
  });
});

describe("a truncated file is refused", () => {
  const noise = () =>
    sharp(
      Uint8Array.from({ length: 96 * 96 * 3 }, (_, index) => (index * index) % 251),
      { raw: { width: 96, height: 96, channels: 3 } },
    );
  test.each<[string, () => Sharp]>([
    ["JPEG", () => noise().jpeg()],
    ["progressive JPEG", () => noise().jpeg({ progressive: true })],
    ["PNG", () => noise().png()],
    ["interlaced PNG", () => noise().png({ progressive: true })],
    ["WebP", () => noise().webp()],
    ["lossless WebP", () => noise().webp({ lossless: true })],
  ])("%s, at several lengths", async (_format, make) => {
    const completeFile = await make().toBuffer();
    await expect(cover(completeFile)).resolves.toMatchObject({ width: 96 });
    for (const part of [0.1, 0.34, 0.5, 0.67, 0.9, 0.98])
      await expect(cover(completeFile.subarray(0, completeFile.length * part)), `${part}`).rejects.toMatchObject({
        reason: expect.stringMatching(/cut off or damaged: export it again/),
        isFinal: true,
      });
  });
});

test("a JPEG with zeros instead of its end is refused, but zeros after a complete JPEG are accepted", async () => {
  const completeFile = await picture(96, 96).jpeg().toBuffer();
  const part = Buffer.from(completeFile).fill(0, completeFile.length - 40);
  await expect(cover(part)).rejects.toMatchObject({ reason: expect.stringContaining("cut off or damaged") });
  await expect(cover(Buffer.concat([completeFile, Buffer.alloc(5000)]))).resolves.toMatchObject({ width: 96 });
});

/** A progressive CMYK JPEG whose header announces another size. */
async function cmykJpeg(width: number, height: number): Promise<Buffer> {
  const jpeg = await picture(8, 8).toColorspace("cmyk").jpeg({ progressive: true }).toBuffer();
  const frame = jpeg.indexOf("ffc2", "hex");
  jpeg.writeUInt16BE(height, frame + 5);
  jpeg.writeUInt16BE(width, frame + 7);
  return jpeg;
}

test.each<[string, RegExp, () => Buffer | Promise<Buffer>]>([
  ["an empty file", /The cover is empty: export or upload it again/, () => Buffer.alloc(0)],
  ["a GIF", /export it as PNG, JPEG or WebP/, () => Buffer.from("GIF89a")],
  [
    "a PNG of 4 gigapixels in a few kB",
    /65000 × 65000 pixels: make it at most 50 megapixels/,
    () => png(65_000, 65_000),
  ],
  ["a PNG a little over 50 megapixels", /at most 50 megapixels/, () => png(50_000_001, 1)],
  ["a WebP larger than its canvas", /damaged/, () => webpWithinCanvas(16_000, 16_000)],
  [
    "a long strip",
    /700000 × 2 pixels and takes 2670 MB of memory to read, of 536 MB: make it smaller/,
    () => png(700_000, 2),
  ],
  ["a progressive CMYK JPEG", /takes 5\d\d MB .*: save it without progressive/, () => cmykJpeg(7000, 7000)],
  [
    "a deep interlaced PNG",
    /takes 610 MB .*: save it without .* interlaced/,
    () => png(7000, 7000, { isDeepAndInterlaced: true }),
  ],
  ["a file of more than 20 MB", /more than 20 MB/, () => Buffer.alloc(20_000_001)],
])("%s is refused with a reason", async (_what, reason, make) => {
  await expect(cover(await make())).rejects.toMatchObject({ reason: expect.stringMatching(reason), isFinal: true });
});
