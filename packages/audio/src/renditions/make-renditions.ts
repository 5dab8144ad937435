import { join } from "node:path";
import type { AudioStream } from "../formats/audio-stream.ts";
import { openAudio } from "../formats/open-audio.ts";
import type { MediaTask, Renditions } from "../media-task.ts";
import { type Mp3BitRate, mp3BitRates, playerRate, writeMp3 } from "../preview/mp3-file.ts";
import { resampled } from "../preview/resampled.ts";
import { copyMp3Frames } from "./mp3-frames.ts";
import { wavSamples, writeWav } from "./wav-file.ts";

type Task = Omit<Extract<MediaTask, { kind: "renditions" }>, "kind">;

/**
 * Writes `master.mp3` and, of a lossless original, `master.wav`: the whole beat, without a tag, made from samples alone, so that
 * nothing of the original's metadata is in them. Reads the original twice, since memory does not grow with its length.
 * @throws {MediaTaskError} when it cannot be decoded
 */
export async function makeRenditions({ input, outDir, isLossy, encodedBytes }: Task): Promise<Renditions> {
  const mp3File = join(outDir, "master.mp3");
  if (isLossy) return { mp3: await writeLossyMp3(input, mp3File, encodedBytes), wav: null };
  const mp3 = await encode(await openAudio(input), mp3File, 320);
  const original = await openAudio(input);
  const samples = wavSamples(original);
  const wavBytes = await writeWav(join(outDir, "master.wav"), samples, original);
  const { sampleRate, channels } = original;
  return { mp3, wav: { sampleRate, channels, encoding: samples.encoding, bytes: wavBytes } };
}

/** An MP3 stays as it is. What else is lossy gets the bit rate that it has, since a higher one would promise what is not in it. */
async function writeLossyMp3(
  input: string,
  output: string,
  decodedFrom: number | undefined,
): Promise<Renditions["mp3"]> {
  const audio = await openAudio(input);
  const { format, sampleRate, channels } = audio;
  let frames = 0;
  for await (const [samples] of audio.blocks) frames += samples?.length ?? 0;
  if (format === "mp3") return { sampleRate, channels, bytes: await copyMp3Frames(input, output) };
  const encodedBytes = decodedFrom ?? audio.encodedBytes?.() ?? 0;
  return encode(await openAudio(input), output, bitRateOf((8 * encodedBytes * sampleRate) / frames / 1000));
}

/** The lowest one of MP3 that is not below another. */
const bitRateOf = (kbits: number): Mp3BitRate => mp3BitRates.find((each) => each >= kbits) ?? 320;

async function encode(audio: AudioStream, output: string, kbits: Mp3BitRate): Promise<Renditions["mp3"]> {
  const { channels } = audio;
  const sampleRate = playerRate(audio.sampleRate);
  const bytes = await writeMp3(output, resampled(audio, sampleRate), { sampleRate, channels, kbits });
  return { sampleRate, channels, bytes };
}
