import { unusable } from "../media-task.ts";
import { openAiff } from "./aiff.ts";
import { type AudioBlock, type AudioStream, maxDurationSeconds } from "./audio-stream.ts";
import { ByteReader } from "./byte-reader.ts";
import { openFlac } from "./flac.ts";
import { openMp3 } from "./mp3.ts";
import { openOgg } from "./ogg.ts";
import { type FileType, sniff, sniffedBytes } from "./sniff.ts";
import { openWav } from "./wav.ts";

const openers: Partial<Record<FileType, (reader: ByteReader) => Promise<AudioStream>>> = {
  wav: openWav,
  aiff: openAiff,
  flac: openFlac,
  mp3: openMp3,
  ogg: openOgg,
};
const minSampleRate = 8_000;
const maxSampleRate = 192_000;
const maxTags = 10;

/**
 * Opens a file as audio, by its bytes; what is behind an ID3v2 tag counts. The file is closed after the last block or
 * sample, or when reading them ends early.
 * @throws {MediaTaskError} when it is no audio, damaged, of more than two channels, of an odd sample rate, or too long
 */
export async function openAudio(file: string): Promise<AudioStream> {
  const reader = await ByteReader.open(file);
  try {
    const open = openers[await sniffBehindTags(reader)];
    if (open === undefined) throw unusable("The file is no audio that can be read here: export WAV, FLAC or MP3.");
    const audio = await open(reader);
    checkShape(audio);
    const { samples } = audio;
    return {
      ...audio,
      blocks: bounded(audio, reader),
      ...(samples !== undefined && { samples: { ...samples, parts: closing(samples.parts, reader) } }),
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/** Leaves the reader at the audio's first byte. */
async function sniffBehindTags(reader: ByteReader): Promise<FileType> {
  if (reader.size === 0) throw unusable("The file is empty: export or upload it again.");
  for (let tags = 0; tags < maxTags; tags++) {
    const start = reader.position;
    const head = await reader.read(sniffedBytes);
    reader.position = start;
    const isTag = head.length > 10 && head[0] === 0x49 && head[1] === 0x44 && head[2] === 0x33;
    // Behind a tag there may be bytes before the first frame, which MP3's reader looks for.
    if (!isTag) return sniff(head) ?? (tags > 0 ? "mp3" : noAudio());
    // Seven bits a byte.
    const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
    reader.position = start + 10 + (a % 128) * 2 ** 21 + (b % 128) * 2 ** 14 + (c % 128) * 2 ** 7 + (d % 128);
  }
  return noAudio();
}

function noAudio(): never {
  throw unusable("The file is no audio that can be read here: export WAV, FLAC or MP3.");
}

function checkShape({ sampleRate, channels }: AudioStream): void {
  if (channels !== 1 && channels !== 2)
    throw unusable(`The file has ${channels} channels: export it in mono or stereo.`);
  if (!(sampleRate >= minSampleRate && sampleRate <= maxSampleRate))
    throw unusable(`The file has a sample rate of ${sampleRate} Hz: export it with 44.1 or 48 kHz.`);
}

async function* closing<Part>(parts: AsyncIterable<Part>, reader: ByteReader): AsyncGenerator<Part> {
  try {
    yield* parts;
  } finally {
    await reader.close();
  }
}

async function* bounded({ sampleRate, blocks }: AudioStream, reader: ByteReader): AsyncGenerator<AudioBlock> {
  let frames = 0;
  try {
    for await (const block of blocks) {
      frames += block[0]?.length ?? 0;
      if (frames > maxDurationSeconds * sampleRate)
        throw unusable(`The file lasts longer than ${maxDurationSeconds / 60} minutes: shorten it.`);
      yield block;
    }
  } finally {
    await reader.close();
  }
}
