import { open } from "node:fs/promises";
import { join } from "node:path";
import { createMp3Encoder } from "wasm-media-encoders";
import { openAudio } from "../formats/open-audio.ts";
import type { MediaTask, Preview } from "../media-task.ts";
import { type Excerpt, mixTags, readExcerpt } from "./excerpt.ts";
import { readTag, synthesiseTag } from "./tag.ts";

const maxPreviewSeconds = 90;
const kbits = 128;
const encodedFrames = 65_536;

/**
 * Writes `preview.mp3`: the beat or its first 90 seconds, with a tag every 15 seconds. It is made from samples alone, so
 * nothing of the original's metadata is in it.
 * @throws {MediaTaskError} when beat or tag cannot be decoded
 */
export async function makePreview({
  input,
  outDir,
  tag,
}: Omit<Extract<MediaTask, { kind: "preview" }>, "kind">): Promise<Preview> {
  const audio = await openAudio(input);
  const sampleRate = previewRate(audio.sampleRate);
  const excerpt = await readExcerpt(audio, sampleRate, maxPreviewSeconds);
  if (tag !== "none")
    mixTags(excerpt, tag === "default" ? synthesiseTag(sampleRate) : await readTag(tag.file, sampleRate));
  const frames = excerpt.channels[0]?.length ?? 0;
  const bytes = await encode(excerpt, join(outDir, "preview.mp3"));
  return { durationSeconds: frames / sampleRate, sampleRate, channels: excerpt.channels.length, bytes };
}

/** What players take everywhere: 44.1 kHz where the sample rate is of its family, else 48. */
function previewRate(sampleRate: number): number {
  return sampleRate % 11_025 === 0 ? 44_100 : 48_000;
}

/** The bytes that were written. */
async function encode({ sampleRate, channels }: Excerpt, file: string): Promise<number> {
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate, channels: channels.length === 1 ? 1 : 2, bitrate: kbits });
  const output = await open(file, "w");
  let bytes = 0;
  const write = async (encoded: Uint8Array): Promise<void> => {
    await output.write(encoded);
    bytes += encoded.length;
  };
  try {
    const frames = channels[0]?.length ?? 0;
    for (let from = 0; from < frames; from += encodedFrames)
      await write(encoder.encode(channels.map((samples) => clamp(samples.subarray(from, from + encodedFrames)))));
    await write(encoder.finalize());
  } finally {
    await output.close();
  }
  return bytes;
}

const clamp = (samples: Float32Array): Float32Array => samples.map((sample) => Math.max(-1, Math.min(1, sample)));
