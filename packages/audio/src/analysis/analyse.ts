import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AudioBlock, minDurationSeconds } from "../formats/audio-stream.ts";
import { openAudio } from "../formats/open-audio.ts";
import { type Analysis, unusable } from "../media-task.ts";
import { KeyEstimator } from "./key/key-estimator.ts";
import { Extremes } from "./levels/extremes.ts";
import { LoudnessMeter } from "./levels/loudness-meter.ts";
import { TruePeakMeter } from "./levels/true-peak-meter.ts";
import { TempoEstimator } from "./tempo/tempo-estimator.ts";
import { WaveformMeter } from "./waveform.ts";

/** The file names of the waveforms, with their numbers of points. */
const waveforms = { "waveform.json": 1000, "waveform-detail.json": 8000 };

/**
 * Measures a beat in one pass, and writes its waveforms into `outDir`.
 * @throws {MediaTaskError} if the file cannot be decoded, is silent, too short or too long
 */
export async function analyse({
  input,
  genre,
  outDir,
}: {
  input: string;
  genre?: string;
  outDir: string;
}): Promise<Analysis> {
  const { blocks, format, sampleRate, channels, bitDepth } = await openAudio(input);
  const loudness = new LoudnessMeter(sampleRate, channels);
  const truePeak = new TruePeakMeter(sampleRate, channels);
  const extremes = new Extremes(channels);
  const waveform = new WaveformMeter(sampleRate);
  const tempo = new TempoEstimator(sampleRate);
  const key = new KeyEstimator(sampleRate);
  for await (const block of blocks) {
    loudness.add(block);
    truePeak.add(block);
    extremes.add(block);
    const mono = mixToMono(block);
    waveform.add(mono);
    tempo.add(mono);
    key.add(mono);
  }
  const { frames, clippedSamples, silentFrames } = extremes;
  const durationSeconds = frames / sampleRate;
  if (durationSeconds < minDurationSeconds)
    throw unusable(`The file lasts ${durationSeconds.toFixed(1)} seconds: a beat must last at least one second.`);
  if (silentFrames === null) throw unusable("The file is silent: export it again, and listen to it.");
  for (const [name, points] of Object.entries(waveforms))
    await writeFile(join(outDir, name), JSON.stringify(waveform.waveform(points)));
  return {
    format,
    sampleRate,
    channels,
    ...(bitDepth !== undefined && { bitDepth }),
    durationSeconds,
    bpm: tempo.result({ genre }),
    key: key.result(),
    loudness: { integratedLufs: loudness.integratedLufs(), truePeakDbtp: truePeak.truePeakDbtp() },
    clippedSamples,
    silence: { startSeconds: silentFrames.start / sampleRate, endSeconds: silentFrames.end / sampleRate },
  };
}

function mixToMono(block: AudioBlock): Float32Array {
  const [left, right] = block;
  if (left === undefined || right === undefined) return left ?? new Float32Array(0);
  const mono = new Float32Array(left.length);
  for (let index = 0; index < mono.length; index++)
    mono[index] = ((left[index] as number) + (right[index] as number)) / 2;
  return mono;
}
