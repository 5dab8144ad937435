import { join } from "node:path";
import type { AudioStream } from "../formats/audio-stream.ts";
import { openAudio } from "../formats/open-audio.ts";
import type { MediaTask, Renditions } from "../media-task.ts";
import { type Mp3BitRate, mp3BitRates, mp3SampleRate, writeMp3 } from "../preview/mp3-file.ts";
import { resample } from "../preview/resample.ts";
import { copyMp3Frames } from "./mp3-frames.ts";
import { wavSamples, writeWav } from "./wav-file.ts";

type Task = Omit<Extract<MediaTask, { kind: "renditions" }>, "kind">;

/**
 * Writes `master.mp3` and, for a lossless original, `master.wav`: the whole beat, without a tag and without the
 * original's metadata. Reads the original twice, instead of storing its samples in memory.
 * @throws {MediaTaskError} if it cannot be decoded
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

/**
 * Copies an MP3. Encodes other lossy formats at about the bit rate of the original, because a much higher one would
 * suggest a better quality.
 */
async function writeLossyMp3(
  input: string,
  output: string,
  encodedBytes: number | undefined,
): Promise<Renditions["mp3"]> {
  const audio = await openAudio(input);
  const { format, sampleRate, channels } = audio;
  let frames = 0;
  for await (const [samples] of audio.blocks) frames += samples?.length ?? 0;
  if (format === "mp3") return { sampleRate, channels, bytes: await copyMp3Frames(input, output) };
  const bytes = encodedBytes ?? audio.encodedBytes?.() ?? 0;
  return encode(await openAudio(input), output, mp3BitRate((8 * bytes * sampleRate) / frames / 1000));
}

/** The lowest bit rate of MP3 that is at least `kbits`. */
const mp3BitRate = (kbits: number): Mp3BitRate => mp3BitRates.find((rate) => rate >= kbits) ?? 320;

async function encode(audio: AudioStream, output: string, kbits: Mp3BitRate): Promise<Renditions["mp3"]> {
  const { channels } = audio;
  const sampleRate = mp3SampleRate(audio.sampleRate);
  const bytes = await writeMp3(output, resample(audio, sampleRate), { sampleRate, channels, kbits });
  return { sampleRate, channels, bytes };
}
