import { describe, expect, onTestFinished, test } from "vitest";
import { flac, mp3 } from "../../testing/audio-files.ts";
import { decode, difference, reason } from "../../testing/decoding.ts";
import { mediaFile } from "../../testing/files.ts";
import { beat, seededNumbers } from "../../testing/signals.ts";
import { ByteReader } from "./byte-reader.ts";
import { findAudio } from "./find-audio.ts";

const audio = beat(0.5);

function noise(bytes: number): Buffer {
  const random = seededNumbers(5);
  return Buffer.from(Array.from({ length: bytes }, () => Math.floor(random() * 256)));
}

function id3v2(body: Buffer, { bytes = body.length, flags = 0 } = {}): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (bytes >>> shift) & 127);
  return Buffer.concat([Buffer.from("ID3\x04\0", "latin1"), Buffer.of(flags, ...size), body]);
}

/** ADTS frames of AAC. Their content is not valid, since no test decodes it. */
const adts = Buffer.concat(
  Array.from({ length: 5 }, () => Buffer.concat([Buffer.from("fff15c40040000", "hex"), Buffer.alloc(25)])),
);

const prefixes: [string, Buffer][] = [
  ["a line break", Buffer.from("\r\n")],
  ["731 zeros", Buffer.alloc(731)],
  ["65,000 zeros", Buffer.alloc(65_000)],
  ["40 kB of noise", noise(40_000)],
  ["a false frame sync", Buffer.from("fffb90c4ffff", "hex")],
  ["an ID3v2 tag that is longer than it says", id3v2(Buffer.alloc(5000, "x"), { bytes: 40 })],
  ["an ID3v2 tag that says it is longer than the file", id3v2(Buffer.alloc(50, "x"), { bytes: 100_000_000 })],
  ["an ID3v2 tag with a footer", Buffer.concat([id3v2(Buffer.alloc(50), { flags: 0x10 }), Buffer.alloc(10, "3DI")])],
  ["an APEv2 tag", Buffer.concat([Buffer.from("APETAGEX"), Buffer.alloc(200, 3)])],
];

describe("two consecutive frames are detected after", () => {
  test.each(prefixes)("%s, in MP3", async (_what, prefix) => {
    const file = await mp3(audio);
    expect(difference(await decode(Buffer.concat([prefix, file])), await decode(file))).toBe(0);
  });

  test.each(prefixes)("%s, in AAC", async (_what, prefix) => {
    const reader = await ByteReader.open(await mediaFile(Buffer.concat([prefix, adts])));
    onTestFinished(() => reader.close());
    expect(await findAudio(reader)).toEqual({ type: "m4a", offset: prefix.length });
  });
});

test("frames after more than 64 kB of other bytes, and a single frame, are not detected", async () => {
  const file = await mp3(audio);
  expect(await reason(Buffer.concat([Buffer.alloc(70_000), file]))).toMatch("no audio that can be read here");
  expect(await reason(Buffer.concat([Buffer.from("\r\n"), file.subarray(0, 420)]))).toMatch("no audio");
});

test("FLAC is detected after ID3v2 tags with and without a footer", async () => {
  const file = flac(audio);
  const tags = [id3v2(Buffer.alloc(90)), id3v2(Buffer.alloc(50), { flags: 0x10 }), Buffer.alloc(10, "3DI")];
  expect(difference(await decode(Buffer.concat([...tags, file])), await decode(file))).toBe(0);
});
