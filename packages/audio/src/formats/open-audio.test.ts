import { describe, expect, test } from "vitest";
import { aiff, chunk, flac, interleave, mp3, ogg, type PcmEncoding, wav } from "../../testing/audio-files.ts";
import { endlessChunks, endlessMetadata, endlessTags } from "../../testing/bombs.ts";
import { decode, difference, reason } from "../../testing/decoding.ts";
import { mediaFile } from "../../testing/files.ts";
import { beat, type Signal, signal, sine } from "../../testing/signals.ts";
import { openAudio } from "./open-audio.ts";

const stereo = beat(0.5);
const mono = beat(0.5, { sampleRate: 48_000, channels: 1 });

describe("decoded samples equal the encoded samples, apart from rounding", () => {
  const exact: [string, number, (audio: Signal) => Buffer][] = [
    ...(["u8", "s16", "s24", "s32", "f32", "f64"] as PcmEncoding[]).map(
      (encoding): [string, number, (audio: Signal) => Buffer] => [
        `WAV ${encoding}`,
        Number(encoding.slice(1)),
        (audio) => wav(audio, { encoding }),
      ],
    ),
    ["WAV extensible", 24, (audio) => wav(audio, { encoding: "s24", isExtensible: true })],
    ["WAV extensible, floating point", 32, (audio) => wav(audio, { encoding: "f32", isExtensible: true })],
    ["RF64", 16, (audio) => wav(audio, { form: "RF64" })],
    ["BW64", 16, (audio) => wav(audio, { form: "BW64" })],
    ["WAV of unknown length", 16, (audio) => wav(audio, { dataSize: 0xffffffff })],
    ["WAV with a chunk of odd size", 16, (audio) => wav(audio, { before: [chunk("LIST", Buffer.alloc(27))] })],
    ["AIFF s8", 8, (audio) => aiff(audio, { encoding: "s8" })],
    ["AIFF s16", 16, (audio) => aiff(audio)],
    ["AIFF s24", 24, (audio) => aiff(audio, { encoding: "s24" })],
    ["AIFF s32", 32, (audio) => aiff(audio, { encoding: "s32" })],
    ["AIFC NONE", 16, (audio) => aiff(audio, { compression: "NONE" })],
    ["AIFC sowt", 16, (audio) => aiff(audio, { compression: "sowt", isLittleEndian: true })],
    ["AIFC fl32", 32, (audio) => aiff(audio, { encoding: "f32", compression: "fl32" })],
    ["AIFC fl64", 64, (audio) => aiff(audio, { encoding: "f64", compression: "fl64" })],
    ["FLAC", 16, (audio) => flac(audio)],
    ["FLAC with a picture", 16, (audio) => flac(audio, { pictureBytes: 200_000 })],
  ];
  test.each(exact)("%s", async (_what, bitDepth, encode) => {
    for (const audio of [stereo, mono]) {
      const decoded = await decode(encode(audio));
      expect(decoded.bitDepth).toBe(bitDepth);
      expect(decoded.sampleRate).toBe(audio.sampleRate);
      expect(difference(decoded, audio)).toBeLessThanOrEqual(bitDepth === 8 ? 1 / 128 : 2 / 32_768);
    }
  });

  test.each([
    ["MP3", mp3],
    ["Ogg Vorbis", ogg],
  ])("%s, within the accuracy of the lossy format", async (_what, encode) => {
    for (const audio of [stereo, mono]) {
      const decoded = await decode(await encode(audio));
      expect(decoded.sampleRate).toBe(audio.sampleRate);
      expect(decoded.channels.length).toBe(audio.channels.length);
      const [length = 0, originalLength = 0] = [decoded.channels[0]?.length, audio.channels[0]?.length];
      // An MP3 without an Info header contains the encoder's padding.
      expect(length).toBeGreaterThanOrEqual(originalLength);
      expect(length - originalLength).toBeLessThan(3000);
      expect(level(decoded) / level(audio)).toBeGreaterThan(0.9);
      expect(level(decoded) / level(audio)).toBeLessThan(1.1);
    }
  });

  test("MP3 after ID3v2 tags and after bytes without a frame; FLAC after a tag is FLAC", async () => {
    const file = await mp3(stereo);
    const tag = Buffer.concat([Buffer.from("ID3\x04\0\0\0\x01\0\0", "latin1"), Buffer.alloc(16_384, 0xff)]);
    const plain = await decode(file);
    for (const bytes of [Buffer.concat([tag, tag, file]), Buffer.concat([tag, Buffer.alloc(1000), file])])
      expect(difference(await decode(bytes), plain)).toBe(0);
    expect((await decode(Buffer.concat([tag, flac(stereo)]))).format).toBe("flac");
  });

  test("a file is decoded in blocks of less than a second", async () => {
    const { blocks } = await openAudio(await mediaFile(wav(beat(10))));
    const lengths: number[] = [];
    for await (const [left] of blocks) lengths.push(left?.length ?? 0);
    expect(lengths.length).toBeGreaterThan(10);
    expect(Math.max(...lengths)).toBeLessThan(44_100);
  });
});

const level = ({ channels }: Signal): number =>
  Math.sqrt((channels[0] as Float32Array).reduce((sum, sample) => sum + sample * sample, 0));

describe("a refusal has a reason, for", () => {
  const completeFile = wav(stereo);
  const quiet = (seconds: number, sampleRate: number, channels: number) =>
    signal({ seconds, sampleRate, channels }, () => 0.1);
  const float = (sample: number) =>
    wav(
      signal({ seconds: 0.1 }, () => sample),
      { encoding: "f32" },
    );
  test.each<[string, RegExp, () => Buffer | Promise<Buffer>]>([
    ["an empty file", /is empty/, () => Buffer.alloc(0)],
    ["HTML", /no audio that can be read here: export WAV, FLAC or MP3/, () => Buffer.from("<html></html>")],
    ["a truncated WAV", /cut off or damaged: .* 49 %/, () => completeFile.subarray(0, completeFile.length / 2)],
    ["a WAV without samples", /has no samples/, () => completeFile.subarray(0, 40)],
    ["a truncated AIFF", /cut off or damaged: .* 49 %/, () => aiff(stereo).subarray(0, completeFile.length / 2)],
    ["a truncated FLAC", /cut off or damaged/, () => flac(stereo).subarray(0, 50_000)],
    ["a FLAC with one wrong byte", /cut off or damaged/, () => flac(stereo).fill(0xaa, 50_000, 50_001)],
    ["a truncated Ogg", /is cut off/, async () => (await ogg(stereo)).subarray(0, -3000)],
    [
      "an Ogg of another codec",
      /^The Ogg file has Opus audio in it, which cannot be read here: export WAV/,
      async () => Buffer.from((await ogg(stereo)).toString("latin1").replaceAll("\x01vorbis", "OpusHead"), "latin1"),
    ],
    [
      "an MP3 of a free bit rate",
      /^The MP3 file has a free bit rate in it, which cannot be read here: export it with a bit rate of 320/,
      () =>
        Buffer.concat(
          Array.from({ length: 20 }, () => Buffer.concat([Buffer.from("fffb0044", "hex"), Buffer.alloc(1302)])),
        ),
    ],
    [
      "text after an ID3v2 tag",
      /no frames of layer III/,
      () => Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\0\0"), Buffer.alloc(9000, 65)]),
    ],
    ["four channels", /has 4 channels: export it in mono or stereo/, () => wav(quiet(0.1, 44_100, 4))],
    ["no channel", /has 0 channels/, () => wav(quiet(0.1, 44_100, 1)).fill(0, 22, 24)],
    ["a sample rate of 4 kHz", /sample rate of 4000 Hz/, () => wav(quiet(0.1, 4000, 1))],
    ["a sample rate of 400 kHz", /sample rate of 400000 Hz/, () => wav(quiet(0.1, 400_000, 1))],
    [
      "more than 20 minutes",
      /longer than 20 minutes: shorten it/,
      () =>
        Buffer.concat([
          wav(quiet(1, 8000, 1), { encoding: "u8", dataSize: 0xffffffff }),
          Buffer.alloc(1200 * 8000, 140),
        ]),
    ],
    ["samples that are not a number", /samples that are no audio/, () => float(Number.NaN)],
    ["samples far beyond full scale", /samples that are no audio/, () => float(1e30)],
    ["many empty chunks", /no samples/, () => endlessChunks(100_000)],
    ["metadata without an end", /header is cut off/, () => endlessMetadata(100_000)],
    ["tags without an end", /no audio/, () => endlessTags(100_000)],
    [
      "5 MB of FLAC without a frame",
      /cannot be decoded/,
      () => Buffer.concat([flac(stereo).subarray(0, 50), Buffer.alloc(5_000_000)]),
    ],
  ])("%s", async (_what, expected, make) => {
    expect(await reason(await make())).toMatch(expected);
  });

  test("a change of the sample rate within the file", async () => {
    const parts = await Promise.all([44_100, 48_000].map((sampleRate) => mp3(beat(1.5, { sampleRate }))));
    expect(await reason(Buffer.concat(parts))).toMatch("changes its sample rate");
  });
});

test("a second loop over the blocks, after the first has stopped early, ends without an error", async () => {
  const { blocks } = await openAudio(await mediaFile(wav(signal({ seconds: 3 }, sine(440, -6)))));
  for await (const [left] of blocks) {
    expect(left?.length).toBeGreaterThan(0);
    break;
  }
  await expect(
    (async () => {
      for await (const _ of blocks);
    })(),
  ).resolves.toBeUndefined();
});

test("the encoder of the tests writes little-endian frames", () => {
  expect([
    ...interleave({ sampleRate: 1, channels: [Float32Array.of(0.5), Float32Array.of(-1)] }, "s16", true),
  ]).toEqual([0, 64, 0, 128]);
});
