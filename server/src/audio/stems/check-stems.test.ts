import { expect, test } from "vitest";
import { flac, wav } from "../../../test/harness/media/audio-files.ts";
import { zip, zipNamed } from "../../../test/harness/media/bombs.ts";
import { mediaFile } from "../../../test/harness/media/files.ts";
import { beat } from "../../../test/harness/media/signals.ts";
import { checkStems } from "./check-stems.ts";

const audio = wav(beat(0.2));
const check = async (bytes: Uint8Array) => checkStems(await mediaFile(bytes));

test("stems are the files of a ZIP, with their real sizes, and audio by their bytes", async () => {
  const notes = Buffer.from("120 BPM");
  const packed = await zip({ "Drums/kick.bin": audio, "bass.flac": flac(beat(0.2)), "notes.wav": notes });
  expect(await check(packed)).toEqual({
    files: 3,
    audioFiles: 2,
    bytes: audio.length + flac(beat(0.2)).length + notes.length,
  });
  expect(await check(await zip({ "a.wav": audio }, { compress: false }))).toMatchObject({ files: 1, audioFiles: 1 });
});

test("much silence is no bomb", async () => {
  const silence = Buffer.concat([audio, Buffer.alloc(20_000_000)]);
  expect(await check(await zip({ "silent stem.wav": silence }))).toMatchObject({ audioFiles: 1 });
});

test.each<[string, RegExp, () => Buffer | Promise<Buffer>]>([
  ["nothing", /no ZIP file/, () => Buffer.alloc(0)],
  ["a WAV file", /no ZIP file: pack them into one/, () => audio],
  ["an empty ZIP", /no audio in it/, () => zip({})],
  ["a ZIP without audio", /no audio in it/, () => zip({ "readme.wav": Buffer.from("hello") })],
  ["a path upwards", /unsafe names/, () => zipNamed("../../evil.wav", audio)],
  ["an absolute path", /unsafe names/, () => zipNamed("/etc/evil.wav", audio)],
  ["a Windows path", /unsafe names/, () => zipNamed("C:\\evil.wav", audio)],
  ["a ZIP that is cut off", /is damaged/, async () => (await zip({ "a.wav": audio })).subarray(0, -30)],
  [
    "other bytes than were packed",
    /is damaged/,
    async () => (await zip({ "a.wav": audio }, { compress: false })).fill(0, 900, 990),
  ],
  ["a size that was not true", /is damaged/, async () => lie(await zip({ "a.wav": audio }))],
  [
    "1,001 files",
    /more than 1000 entries/,
    () => zip(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`${n}`, Buffer.alloc(1)]))),
  ],
  [
    "a bomb of 200 MB in 200 kB",
    /unpacks to far more/,
    () => zip({ "a.wav": audio, "b.wav": Buffer.alloc(200_000_000) }),
  ],
  ["one name twice", /name twice/, async () => rename(await zip({ "a.wav": audio, "b.wav": audio }), "b.wav", "a.wav")],
])("refused with a reason: %s", async (_what, reason, make) => {
  await expect(check(await make())).rejects.toMatchObject({ reason: expect.stringMatching(reason), isFinal: true });
});

const rename = (bytes: Buffer, from: string, to: string): Buffer =>
  Buffer.from(bytes.toString("latin1").replaceAll(from, to), "latin1");

/** Halves the unpacked size that the central directory declares. */
function lie(bytes: Buffer): Buffer {
  const entry = bytes.lastIndexOf("PK\x01\x02");
  bytes.writeUInt32LE(bytes.readUInt32LE(entry + 24) >> 1, entry + 24);
  return bytes;
}
