import { join } from "node:path";
import { openAudio } from "../formats/open-audio.ts";
import type { MediaTask, Renditions } from "../media-task.ts";
import { playerRate, writeMp3 } from "../preview/mp3-file.ts";
import { resampled } from "../preview/resampled.ts";
import { wavSamples, writeWav } from "./wav-file.ts";

const kbits = 320;

/**
 * Writes `master.mp3` and `master.wav`: the whole beat, without a tag, made from samples alone, so that nothing of the
 * original's metadata is in them. Reads the original twice, since memory does not grow with its length.
 * @throws {MediaTaskError} when it cannot be decoded
 */
export async function makeRenditions({
  input,
  outDir,
}: Omit<Extract<MediaTask, { kind: "renditions" }>, "kind">): Promise<Renditions> {
  const audio = await openAudio(input);
  const { channels } = audio;
  const sampleRate = playerRate(audio.sampleRate);
  const shape = { sampleRate, channels, kbits } as const;
  const mp3Bytes = await writeMp3(join(outDir, "master.mp3"), resampled(audio, sampleRate), shape);
  const original = await openAudio(input);
  const samples = wavSamples(original);
  const wavBytes = await writeWav(join(outDir, "master.wav"), samples, original);
  return {
    mp3: { sampleRate, channels, bytes: mp3Bytes },
    wav: { sampleRate: original.sampleRate, channels, encoding: samples.encoding, bytes: wavBytes },
  };
}
