import { beforeAll, describe, expect, test } from "vitest";
import { ogg } from "../../testing/audio-files.ts";
import { decode, difference, reason } from "../../testing/decoding.ts";
import { beat, type Signal } from "../../testing/signals.ts";

const audio = beat(4);
let completeFile: Buffer;
let plain: Signal;

beforeAll(async () => {
  completeFile = await ogg(audio);
});

/** The pages of a file, as copies. */
function pagesOf(file: Buffer): Buffer[] {
  const pages: Buffer[] = [];
  for (let offset = 0; offset < file.length; ) {
    const segments = file.readUInt8(offset + 26);
    const bytes = file
      .subarray(offset + 27, offset + 27 + segments)
      .reduce((sum, segment) => sum + segment, 27 + segments);
    pages.push(Buffer.from(file.subarray(offset, offset + bytes)));
    offset += bytes;
  }
  return pages;
}

const granuleOf = (page: Buffer): number => Number(page.readBigInt64LE(6));

/** The file with other granule positions of its audio pages. */
function withGranules(change: (granule: number, index: number) => number): Buffer {
  const pages = pagesOf(completeFile);
  for (const [index, page] of pages.entries())
    if (granuleOf(page) > 0) page.writeBigInt64LE(BigInt(change(granuleOf(page), index)), 6);
  return Buffer.concat(pages);
}

/** A page of another stream. */
function otherPage(packet: Buffer, { serial = 99, flags = 2, granule = 0n } = {}): Buffer {
  const head = Buffer.alloc(28);
  head.write("OggS");
  head[5] = flags;
  head.writeBigInt64LE(granule, 6);
  head.writeUInt32LE(serial, 14);
  head[26] = 1;
  head[27] = packet.length;
  return Buffer.concat([head, packet]);
}

const skeleton = () => otherPage(Buffer.from("fishead\0\x03\0\0\0"));
const lastPage = (pages: Buffer[]): Buffer => pages.at(-1) as Buffer;

describe("the samples are the same for a stream", () => {
  const forms: [string, () => Buffer][] = [
    ["with 70 kB of zeros after it", () => Buffer.concat([completeFile, Buffer.alloc(70_000)])],
    ["with an ID3v1 tag after it", () => Buffer.concat([completeFile, Buffer.from("TAG"), Buffer.alloc(125)])],
    ["with an ID3v2 tag before it", () => Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\0\x04abcd"), completeFile])],
    [
      "with an empty last page whose granule position is -1",
      () => {
        const pages = pagesOf(completeFile);
        lastPage(pages).writeUInt8(lastPage(pages).readUInt8(5) & ~4, 5);
        const empty = Buffer.from(lastPage(pages).subarray(0, 27));
        empty.writeUInt8(4, 5);
        empty.writeBigInt64LE(-1n, 6);
        empty.writeUInt8(0, 26);
        return Buffer.concat([...pages, empty]);
      },
    ],
    [
      "whose granule positions start late, as in a recorded live stream",
      () => withGranules((granule) => granule + 123_456_789),
    ],
    [
      "whose last page lacks the flag of a last page",
      () => {
        const pages = pagesOf(completeFile);
        lastPage(pages).writeUInt8(lastPage(pages).readUInt8(5) & ~4, 5);
        return Buffer.concat(pages);
      },
    ],
    [
      "with zeros between its pages",
      () => Buffer.concat(pagesOf(completeFile).flatMap((page, index) => [page, Buffer.alloc(index === 3 ? 5000 : 0)])),
    ],
    [
      "with a concurrent stream, which begins first and ends last",
      () => {
        const [first, ...rest] = pagesOf(completeFile) as [Buffer, ...Buffer[]];
        const interleaved = rest.flatMap((page) => [page, otherPage(Buffer.alloc(40, 1), { flags: 0, granule: 7n })]);
        return Buffer.concat([skeleton(), first, ...interleaved, otherPage(Buffer.alloc(0), { flags: 4 })]);
      },
    ],
  ];

  test.each(forms)("%s", async (_what, make) => {
    plain ??= await decode(completeFile);
    expect(plain.channels[0]?.length).toBe(granuleOf(lastPage(pagesOf(completeFile))));
    const decoded = await decode(make());
    expect(difference(decoded, plain)).toBe(0);
  });
});

test("frames before the granule position 0 are dropped", async () => {
  plain ??= await decode(completeFile);
  const decoded = await decode(withGranules((granule) => granule - 1000));
  const expected = plain.channels.map((samples) => samples.subarray(1000));
  expect(difference(decoded, { ...plain, channels: expected })).toBe(0);
});

test("consecutive streams of equal sample rate and channels are one recording; others are refused", async () => {
  const second = await ogg(beat(0.5));
  const [a, b] = [await decode(completeFile), await decode(second)];
  const decoded = await decode(Buffer.concat([completeFile, second]));
  expect(decoded.channels[0]?.length).toBe((a.channels[0]?.length ?? 0) + (b.channels[0]?.length ?? 0));
  for (const other of [beat(0.5, { sampleRate: 22_050 }), beat(0.5, { channels: 1 })])
    expect(await reason(Buffer.concat([completeFile, await ogg(other)]))).toMatch(
      "several recordings of different sample rates or channels",
    );
});

describe("the reason is correct for", () => {
  test("a file that ends within a page", async () => {
    expect(await reason(completeFile.subarray(0, -100))).toMatch("cut off: its last page is incomplete");
    expect(await reason(completeFile.subarray(0, 20))).toMatch(/cut off|no audio/);
  });

  test("missing pages", async () => {
    const pages = pagesOf(completeFile);
    pages.splice(4, 2);
    expect(await reason(Buffer.concat(pages))).toMatch("The Ogg file is cut off or damaged");
  });

  test.each([
    ["OpusHead\x01\x02", "Opus audio"],
    ["\x7fFLAC\x01\0\0\x01", "FLAC audio"],
    ["Speex   1.2", "Speex audio"],
    ["\x80theora\x03", "video"],
  ])("%j", async (packet, what) => {
    const file = Buffer.concat([skeleton(), otherPage(Buffer.from(packet, "latin1"), { serial: 5 })]);
    expect(await reason(file)).toBe(
      `The Ogg file has ${what} in it, which cannot be read here: export WAV, FLAC or MP3.`,
    );
  });

  test("an unknown codec", async () => {
    expect(await reason(skeleton())).toBe("The Ogg file has no audio that can be read here: export WAV, FLAC or MP3.");
  });
});
