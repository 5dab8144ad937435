import sharp, { type Sharp } from "sharp";
import type { MediaTaskKind } from "../src/media-task.ts";
import { aiff, flac, mp3, ogg, wav } from "./audio-files.ts";
import { zip } from "./bombs.ts";
import { beat } from "./signals.ts";

const audio = beat(1.2);
const picture = (): Sharp =>
  sharp(
    Uint8Array.from({ length: 64 * 64 * 4 }, (_, index) => (index * 7) % 256),
    { raw: { width: 64, height: 64, channels: 4 } },
  );

/** A small valid file of every format except M4A, and the kind of task that reads it. */
export const goodFiles: Record<string, { kind: MediaTaskKind; make: () => Buffer | Promise<Buffer> }> = {
  WAV: { kind: "analyse", make: () => wav(audio) },
  "WAV of floating point": { kind: "analyse", make: () => wav(audio, { encoding: "f32" }) },
  RF64: { kind: "analyse", make: () => wav(audio, { form: "RF64" }) },
  AIFF: { kind: "analyse", make: () => aiff(audio) },
  FLAC: { kind: "analyse", make: () => flac(audio) },
  MP3: { kind: "analyse", make: () => mp3(audio) },
  "Ogg Vorbis": { kind: "analyse", make: () => ogg(audio) },
  PNG: { kind: "cover", make: () => picture().png().toBuffer() },
  JPEG: { kind: "cover", make: () => picture().jpeg().toBuffer() },
  WebP: { kind: "cover", make: () => picture().webp().toBuffer() },
  ZIP: { kind: "stems", make: () => zip({ "kick.wav": wav(beat(0.1)), "notes.txt": Buffer.from("120 BPM") }) },
};
