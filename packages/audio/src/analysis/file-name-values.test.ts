import { expect, test } from "vitest";
import { valuesOfFileName } from "./file-name-values.ts";

test.each<[string, number | null, string | null]>([
  ["Night Drive 140bpm Am.wav", 140, "A minor"],
  ["night_drive_Cmin_92.wav", 92, "C minor"],
  ["92 Cmin night drive.mp3", 92, "C minor"],
  ["Cmin 92.flac", 92, "C minor"],
  ["[140 BPM] [F# minor] Glow.wav", 140, "F# minor"],
  ["Glow (BPM 87.5, Bbm).wav", 87.5, "A# minor"],
  ["glow-bpm=150-Gmaj.aiff", 150, "G major"],
  ["Glow 92,5 bpm.wav", 92.5, null],
  ["GLOW_150BPM_D#MIN_MASTER.wav", 150, "D# minor"],
  ["glow 128bpm 8A v2.wav", 128, "A minor"],
  ["glow c sharp minor.wav", null, "C# minor"],
  ["glow Eb major 75.wav", 75, "D# major"],
  ["glow c#m 100.wav", 100, "C# minor"],
  ["140bpm (was 70bpm) Am.wav", 70, "A minor"],
  // These names contain no values.
  ["night drive.wav", null, null],
  ["i am the one.wav", null, null],
  ["take 8A.wav", null, null],
  ["track 99.wav", null, null],
  ["glow 2024.wav", null, null],
  ["808 trap 12.wav", null, null],
  ["C4.wav", null, null],
  ["Bm3000.wav", null, null],
  ["glow 999bpm.wav", null, null],
  ["glow 5bpm.wav", null, null],
  ["", null, null],
  [".wav", null, null],
])("%s has the tempo %s and the key %s", (filename, bpm, key) => {
  expect(valuesOfFileName(filename)).toMatchObject({ bpm, key });
});

test.each([
  ["Night_drive-final.wav", "Night drive-final"],
  ["a  b.FLAC", "a b"],
  ["Mr. Beat", "Mr. Beat"],
  ["v1.5 mix.mp3", "v1.5 mix"],
  ["_.wav", "Untitled"],
  ["Night Drive 140bpm Am.wav", "Night Drive"],
  ["Night_Drive_140bpm_Am.wav", "Night Drive"],
  ["140 BPM - Night Drive (A minor).wav", "Night Drive"],
  ["[140 BPM] [F# minor] Glow.wav", "Glow"],
  ["Glow (BPM 87.5, Bbm).wav", "Glow"],
  ["GLOW_150BPM_D#MIN_MASTER.wav", "GLOW MASTER"],
  ["night_drive_Cmin_92.wav", "night drive"],
  ["92 Cmin night drive.mp3", "night drive"],
  ["glow 128bpm 8A v2.wav", "glow v2"],
  // A name with only values becomes the title.
  ["140bpm Am.wav", "140bpm Am"],
  // The key may be a part of the title.
  ["Love in A minor.wav", "Love in A minor"],
  ["Love in A minor 90bpm.wav", "Love in A minor"],
  ["Song A minor.wav", "Song A minor"],
  // The number is not a tempo.
  ["Route 66 90bpm.wav", "Route 66"],
  ["808 trap 12.wav", "808 trap 12"],
])("%s has the title %s", (filename, title) => {
  expect(valuesOfFileName(filename).title).toBe(title);
});

test("long names with any characters are parsed within the time limit of a test", () => {
  for (const part of ["1", "A", "Am 1", "bpm ", "# ", "🎹", "100 ", "-", "(", "90bpm ( "])
    expect(() => valuesOfFileName(part.repeat(20_000))).not.toThrow();
});
