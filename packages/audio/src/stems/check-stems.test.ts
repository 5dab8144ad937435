import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { flac, mp3, wav } from "../../testing/audio-files.ts";
import { zip } from "../../testing/bombs.ts";
import { mediaFile } from "../../testing/files.ts";
import { type RawEntry, rawZip } from "../../testing/raw-zip.ts";
import { beat } from "../../testing/signals.ts";
import { checkStems } from "./check-stems.ts";

const audio = wav(beat(0.2));
const check = async (bytes: Uint8Array) => checkStems(await mediaFile(bytes));
const zipNamed = (name: string | Buffer, more: Partial<RawEntry> = {}) => rawZip([{ name, bytes: audio, ...more }]);
const oneFile = { files: 1, audioFiles: 1, bytes: audio.length };
/** The Unicode path field of Info-ZIP. */
function unicodePath(raw: Buffer, name: string): Buffer {
  const body = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from(name)]);
  body.writeUInt32LE(crc32(raw), 1);
  return Buffer.concat([Buffer.from([0x75, 0x70, body.length, 0]), body]);
}

test("the files of a ZIP are counted with their unpacked sizes: audio, MIDI and text", async () => {
  const notes = Buffer.from("120 BPM, für Anna\r\n");
  const midi = Buffer.from("MThd\0\0\0\x06\0\0\0\x01\0\x60", "latin1");
  const files = { "Drums/kick.wav": audio, "bass.flac": flac(beat(0.2)), "notes.txt": notes, "chords.mid": midi };
  expect(await check(await zip(files))).toEqual({
    files: 4,
    audioFiles: 2,
    bytes: Object.values(files).reduce((sum, { length }) => sum + length, 0),
  });
  expect(await check(await zip({ "a.wav": audio }, { compress: false }))).toEqual(oneFile);
});

test("a long file of silence is not refused as a bomb", async () => {
  const silence = Buffer.concat([audio, Buffer.alloc(20_000_000)]);
  expect(await check(await zip({ "silent stem.wav": silence }))).toMatchObject({ audioFiles: 1 });
});

describe("an archive of a common program is accepted:", async () => {
  const shiftJis = Buffer.from("835c955c945c2e776176", "hex");
  const raw437 = Buffer.from("gr\x81n.wav", "latin1");
  const macOs = (name: string, head: string): RawEntry => ({
    name,
    bytes: Buffer.concat([Buffer.from(head, "hex"), Buffer.alloc(50)]),
  });
  test.each<[string, Buffer]>([
    ["names in Shift-JIS, whose second bytes look like backslashes", zipNamed(shiftJis, { flags: 0 })],
    ["names in code page 437", zipNamed(raw437, { flags: 0 })],
    [
      "names in code page 437 with letters that are controls in other code pages",
      zipNamed(Buffer.from("9a62657267722699e12e776176", "hex"), { flags: 0 }),
    ],
    [
      "names in code page 437 that are Shift-JIS except for a control",
      zipNamed(Buffer.from("80612e776176", "hex"), { flags: 0 }),
    ],
    ["names with a Unicode path field", zipNamed(raw437, { flags: 0, extra: unicodePath(raw437, "grün.wav") })],
    ["names in UTF-8 without the flag", zipNamed("キック.wav", { flags: 0 })],
    [
      "an MP3 after zeros",
      rawZip([{ name: "a.mp3", bytes: Buffer.concat([Buffer.alloc(731), await mp3(beat(0.5))]) }]),
    ],
    ["backslashes instead of slashes", zipNamed("Drums\\kick.wav", { flags: 0 })],
    ["a path with ./", zipNamed("./Drums/kick.wav")],
    ["other bytes after the end", Buffer.concat([zipNamed("a.wav"), Buffer.from("<html>\n".repeat(9))])],
    ["sizes in a data descriptor after the file", zipNamed("a.wav", { hasDescriptor: true })],
    ["sizes of 64 bits", zipNamed("a.wav", { is64: true })],
    [
      "metadata of macOS next to the stems",
      rawZip([
        { name: "a.wav", bytes: audio },
        macOs("__MACOSX/._a.wav", "00051607"),
        macOs(".DS_Store", "0000000142756431"),
      ]),
    ],
    [
      "folders",
      rawZip([
        { name: "Drums/", bytes: Buffer.alloc(0), method: 0 },
        { name: "Drums/a.wav", bytes: audio },
      ]),
    ],
  ])("%s", async (_what, bytes) => {
    expect(await check(bytes)).toMatchObject({ audioFiles: 1 });
  });

  test("Deflate64", async () => {
    // Stored blocks of Deflate are also valid in Deflate64.
    const blocks: Buffer[] = [];
    for (let offset = 0; offset < audio.length; offset += 60_000) {
      const part = audio.subarray(offset, offset + 60_000);
      const head = Buffer.alloc(5, offset + 60_000 >= audio.length ? 1 : 0);
      head.writeUInt16LE(part.length, 1);
      head.writeUInt16LE(part.length ^ 0xffff, 3);
      blocks.push(head, part);
    }
    const packed = Buffer.concat(blocks);
    expect(await check(zipNamed("a.wav", { method: 9, packed }))).toEqual(oneFile);
    await expect(check(zipNamed("a.wav", { method: 9, packed: packed.subarray(0, 900) }))).rejects.toMatchObject({
      reason: 'The ZIP file is damaged at "a.wav": pack the stems again.',
    });
  });
});

const upwards = /leads out of its folder/;
const onWindows = /Windows does not write/;
test.each<[string, RegExp, () => Buffer | Promise<Buffer>]>([
  ["an empty file", /is empty: pack or upload the stems again/, () => Buffer.alloc(0)],
  ["a RAR archive", /not a ZIP file but a RAR archive: pack them into one/, () => Buffer.from("Rar!\x1a\x07\x01\0")],
  [
    "a ZIP that unpacks itself",
    /a program, or a part of a split ZIP file/,
    () => Buffer.concat([Buffer.from("MZ"), Buffer.alloc(500), zipNamed("a.wav")]),
  ],
  [
    "200 kB after the end",
    /no list of files at its end: it is cut off, or other data follows it/,
    () => Buffer.concat([zipNamed("a.wav"), Buffer.alloc(200_000)]),
  ],
  ["a WAV file", /not a ZIP file: pack them into one/, () => audio],
  ["an empty ZIP", /no audio in it/, () => zip({})],
  ["a ZIP without audio", /no audio in it/, () => zip({ "readme.txt": Buffer.from("hello") })],
  ["a ZIP that is cut off", /is cut off/, async () => (await zip({ "a.wav": audio })).subarray(0, -30)],
  [
    "bytes that differ from the file's checksum",
    /damaged at "a.wav"/,
    async () => (await zip({ "a.wav": audio }, { compress: false })).fill(0, 900, 990),
  ],
  ["another size in the list", /contradicts itself about the size/, () => zipNamed("a.wav", { localBytes: 7 })],
  [
    "1,001 files",
    /more than 1000 entries/,
    () => zip(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`${n}.txt`, Buffer.alloc(1, "a")]))),
  ],
  [
    "a bomb of 200 MB in 200 kB",
    /unpacks to far more/,
    () => zip({ "a.wav": audio, "b.wav": Buffer.concat([audio, Buffer.alloc(200_000_000)]) }),
  ],
  ["LZMA", /compressed by LZMA, .*by Deflate/, () => zipNamed("a.wav", { method: 14 })],
  ["an unknown method", /compressed by method 77/, () => zipNamed("a.wav", { method: 77 })],
  ["a password", /is encrypted: pack/, () => zipNamed("a.wav", { flags: 0x801 })],
  // Paths.
  ["a path upwards", upwards, () => zipNamed("../../evil.wav")],
  ["a path upwards by backslashes", upwards, () => zipNamed("..\\evil.wav", { flags: 0 })],
  ["a path upwards in the middle", upwards, () => zipNamed("a/../../evil.wav")],
  ["an absolute path", upwards, () => zipNamed("/etc/evil.wav")],
  ["a drive", upwards, () => zipNamed("C:\\evil.wav", { flags: 0 })],
  ["a network path", upwards, () => zipNamed("\\\\host\\evil.wav", { flags: 0 })],
  // As single bytes the name is ƒ\..\evil. In Shift-JIS the first backslash is part of a letter.
  [
    "a path upwards in only one encoding",
    upwards,
    () => zipNamed(Buffer.from("835c2e2e5c6576696c2e776176", "hex"), { flags: 0 }),
  ],
  [
    "a path upwards in the Unicode path field",
    upwards,
    () => zipNamed("a.wav", { flags: 0, extra: unicodePath(Buffer.from("a.wav"), "../a.wav") }),
  ],
  ["a link", /a link or another special file/, () => zipNamed("a.wav", { attributes: (0o120777 << 16) >>> 0 })],
  ["a device", /a link or another special file/, () => zipNamed("a.wav", { attributes: (0o020666 << 16) >>> 0 })],
  // Names.
  ["a name with a direction control", /turn the direction/, () => zipNamed("kick\u202evaw.exe.wav")],
  ["an invisible mark", /turn the direction/, () => zipNamed("ki\u200bck.wav")],
  ["a line break", /line break/, () => zipNamed("kick\n.wav")],
  ["a name of 60,000 characters", /more than 1024 bytes/, () => zipNamed(`${"a".repeat(60_000)}.wav`)],
  ["a name too long for file systems", /more than 255 bytes/, () => zipNamed(`${"ü".repeat(130)}.wav`)],
  ["a name that is not UTF-8", /invisible/, () => zipNamed(Buffer.from("ki\xffck.wav", "latin1"))],
  ["a device name of Windows", onWindows, () => zipNamed("Drums/AUX.wav")],
  ["a name that Windows shortens", onWindows, () => zipNamed("Drums /a.wav")],
  ["an alternate data stream", onWindows, () => zipNamed("a.txt:evil.wav")],
  // Archives that two programs may read differently.
  [
    "another name in the local header",
    /contradicts itself about the name/,
    () => zipNamed("kick.wav", { localName: "../up.wav" }),
  ],
  [
    "another Unicode name in the local header",
    /contradicts itself about the name/,
    () =>
      zipNamed("a.wav", {
        flags: 0,
        extra: Buffer.alloc(0),
        localExtra: unicodePath(Buffer.from("a.wav"), "../a.wav"),
      }),
  ],
  [
    "another method in the local header",
    /contradicts itself about the encoding/,
    () => zipNamed("a.wav", { localMethod: 0 }),
  ],
  [
    "a file that the directory does not list",
    /its list does not name/,
    () =>
      rawZip([
        { name: "a.wav", bytes: audio },
        { name: "evil.exe", bytes: Buffer.from("MZ"), isHidden: true },
      ]),
  ],
  [
    "bytes between files",
    /its list does not name/,
    () => rawZip([{ name: "a.wav", bytes: audio }], { gap: Buffer.from("MZ") }),
  ],
  ["overlapping files", /inside one another|its list does not name/, () => overlapping()],
  ["two ends", /the end of a ZIP file twice/, () => Buffer.concat([zipNamed("a.wav"), zipNamed("b.wav")])],
  [
    "a name twice",
    /name twice/,
    () =>
      rawZip([
        { name: "a.wav", bytes: audio },
        { name: "a.wav", bytes: audio },
      ]),
  ],
  [
    "a name in upper and lower case",
    /name twice/,
    () =>
      rawZip([
        { name: "a.wav", bytes: audio },
        { name: "A.WAV", bytes: audio },
      ]),
  ],
  [
    "a name in two Unicode forms",
    /name twice/,
    () =>
      rawZip([
        { name: "ü.wav", bytes: audio },
        { name: "u\u0308.wav", bytes: audio },
      ]),
  ],
  [
    "a file that is also a folder",
    /name twice/,
    () =>
      rawZip([
        { name: "a.wav", bytes: audio },
        { name: "a.wav/b.wav", bytes: audio },
      ]),
  ],
  // Contents.
  [
    "a program",
    /"setup.exe", which is neither audio, MIDI nor text/,
    () => zip({ "a.wav": audio, "setup.exe": Buffer.from("MZ") }),
  ],
  [
    "a program named as audio",
    /named as audio but is not audio, "b.wav"/,
    () => zip({ "a.wav": audio, "b.wav": Buffer.from("MZ\x90\0") }),
  ],
  [
    "a program named as text",
    /named as text but is not text/,
    () => zip({ "a.wav": audio, "b.txt": Buffer.from("MZ\x90\0") }),
  ],
  ["a program named as a file of macOS", /neither audio/, () => zip({ "a.wav": audio, "._b": Buffer.from("\x7fELF") })],
  ["audio named as a program", /"kick.exe", which is neither/, () => zip({ "a.wav": audio, "kick.exe": audio })],
  [
    "a script",
    /"run.command", which is neither/,
    () => zip({ "a.wav": audio, "run.command": Buffer.from("#!/bin/sh") }),
  ],
  [
    "an archive",
    /an archive in it, "more.zip": pack its files/,
    () => zip({ "a.wav": audio, "more.zip": Buffer.from("PK\x03\x04") }),
  ],
  [
    "an archive named as audio",
    /named as audio but is not audio/,
    () => zip({ "a.wav": audio, "b.wav": Buffer.from("PK\x03\x04more") }),
  ],
  ["a folder with content", /folder with content/, () => rawZip([{ name: "a/", bytes: audio }])],
])("%s is refused with a reason", async (_what, reason, make) => {
  const failure = await check(await make()).catch((error: unknown) => error);
  expect(failure).toMatchObject({ reason: expect.stringMatching(reason), isFinal: true });
  expect((failure as { reason: string }).reason).toMatch(/^[^\p{Cc}\u202e]{1,300}$/u);
});

/** An archive whose second file begins within the first. */
function overlapping(): Buffer {
  const inner = zipNamed("inner.wav", { method: 0 }).subarray(0, -22 - 46 - "inner.wav".length);
  const completeFile = rawZip([
    { name: "a.wav", bytes: Buffer.concat([audio, inner]), method: 0 },
    { name: "inner.wav", bytes: audio, method: 0 },
  ]);
  const second = completeFile.lastIndexOf(Buffer.from("PK\x01\x02", "latin1"));
  completeFile.writeUInt32LE(30 + "a.wav".length + audio.length, second + 42);
  return completeFile;
}

test("a reason quotes a name in code page 437 with the correct letters", async () => {
  const file = await mediaFile(zipNamed(Buffer.from("9a62657267729499e12e657865", "hex"), { flags: 0 }));
  await expect(checkStems(file)).rejects.toMatchObject({ reason: expect.stringContaining('"ÜbergröÖß.exe"') });
});
