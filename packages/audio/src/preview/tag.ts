import { openAudio } from "../formats/open-audio.ts";
import { unusable } from "../media-task.ts";
import { resample } from "./resample.ts";

/** A longer tag of a producer is cut. */
const maxTagSeconds = 10;
const fadeSeconds = 0.05;
/** The peak of a tag. `mixTags` lowers the beat so that the sum stays within full scale. */
const tagPeak = 0.5;

// The default tag: a rising arpeggio of A major (in hertz) with bell-like partials.
const notes = [880, 1108.73, 1318.51, 1760];
const noteSeconds = 1 / 6;
const defaultSeconds = 1.5;
/** Multiples of the note's frequency, with their levels. */
const partials = [
  [1, 1],
  [2.76, 0.35],
  [5.4, 0.1],
] as const;
const decaySeconds = 0.25;
const attackSeconds = 0.005;

/** Synthesizes the default tag in mono. */
export function defaultTag(sampleRate: number): Float32Array {
  const tag = new Float32Array(Math.round(defaultSeconds * sampleRate));
  for (const [index, frequency] of notes.entries()) {
    const start = Math.round(index * noteSeconds * sampleRate);
    for (let frame = start; frame < tag.length; frame++) {
      const seconds = (frame - start) / sampleRate;
      const envelope = Math.min(1, seconds / attackSeconds) * Math.exp(-seconds / decaySeconds);
      let sum = 0;
      for (const [multiple, level] of partials)
        if (frequency * multiple < sampleRate / 2)
          sum += level * Math.sin(2 * Math.PI * frequency * multiple * seconds);
      tag[frame] = (tag[frame] as number) + envelope * sum;
    }
  }
  return finish(tag, sampleRate);
}

/**
 * Reads the first ten seconds of a producer's tag in mono.
 * @throws {MediaTaskError} if it cannot be decoded, or is silent
 */
export async function readTag(file: string, sampleRate: number): Promise<Float32Array> {
  const parts: Float32Array[] = [];
  let frames = 0;
  for await (const [left, right] of resample(await openAudio(file), sampleRate)) {
    if (left === undefined) continue;
    parts.push(right === undefined ? left : left.map((sample, index) => (sample + (right[index] ?? 0)) / 2));
    frames += left.length;
    if (frames >= maxTagSeconds * sampleRate) break;
  }
  const tag = new Float32Array(Math.min(frames, maxTagSeconds * sampleRate));
  let start = 0;
  for (const part of parts) {
    tag.set(part.subarray(0, tag.length - start), start);
    start += Math.min(part.length, tag.length - start);
  }
  if (!tag.some((sample) => Math.abs(sample) > 0.001))
    throw unusable("The preview's tag is silent: choose another file for it, the default tag, or none.");
  return finish(tag, sampleRate);
}

/** Normalizes the level of a tag, and fades out its end to avoid a click. */
function finish(tag: Float32Array, sampleRate: number): Float32Array {
  const peak = tag.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0);
  const fadeFrames = fadeSeconds * sampleRate;
  return tag.map((sample, frame) => ((sample * tagPeak) / peak) * Math.min(1, (tag.length - 1 - frame) / fadeFrames));
}
