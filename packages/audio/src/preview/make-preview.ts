import { join } from "node:path";
import type { AudioBlock } from "../formats/audio-stream.ts";
import { openAudio } from "../formats/open-audio.ts";
import type { MediaTask, Preview } from "../media-task.ts";
import { type Excerpt, mixTags, readExcerpt } from "./excerpt.ts";
import { mp3SampleRate, writeMp3 } from "./mp3-file.ts";
import { defaultTag, readTag } from "./tag.ts";

const maxPreviewSeconds = 90;
const kbits = 128;
const encodedFrames = 65_536;

/**
 * Writes `preview.mp3`: the first 90 seconds of the beat, with the tag, if any, every 15 seconds. Encodes only samples,
 * so that the preview has none of the original's metadata.
 * @throws {MediaTaskError} if the beat or the tag cannot be decoded, or the tag is silent
 */
export async function makePreview({
  input,
  outDir,
  tag,
}: Omit<Extract<MediaTask, { kind: "preview" }>, "kind">): Promise<Preview> {
  const audio = await openAudio(input);
  const sampleRate = mp3SampleRate(audio.sampleRate);
  const excerpt = await readExcerpt(audio, sampleRate, maxPreviewSeconds);
  if (tag !== "none")
    mixTags(excerpt, tag === "default" ? defaultTag(sampleRate) : await readTag(tag.file, sampleRate));
  const frames = excerpt.channels[0]?.length ?? 0;
  const channels = excerpt.channels.length;
  const shape = { sampleRate, channels, kbits } as const;
  const bytes = await writeMp3(join(outDir, "preview.mp3"), blocksOf(excerpt, encodedFrames), shape);
  return { durationSeconds: frames / sampleRate, sampleRate, channels, bytes };
}

function* blocksOf({ channels }: Excerpt, frames: number): Generator<AudioBlock> {
  for (let from = 0; from < (channels[0]?.length ?? 0); from += frames)
    yield channels.map((samples) => samples.subarray(from, from + frames));
}
