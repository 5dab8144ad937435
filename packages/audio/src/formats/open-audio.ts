import { unusable } from "../media-task.ts";
import { openAiff } from "./aiff.ts";
import { type AudioBlock, type AudioStream, maxDurationSeconds } from "./audio-stream.ts";
import { ByteReader } from "./byte-reader.ts";
import { findAudio } from "./find-audio.ts";
import { openFlac } from "./flac.ts";
import { openMp3 } from "./mp3.ts";
import { openOgg } from "./ogg.ts";
import { nameOther } from "./other-formats.ts";
import { type FileType, sniffedBytes } from "./sniff.ts";
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

/**
 * Opens a file as audio. Detects its format by its content after ID3v2 tags. Closes the file when the blocks or samples
 * have been read, or when a loop over them stops early.
 * @throws {MediaTaskError} if it is not audio or is damaged, has no channel or more than two, or has a sample rate
 * below 8 kHz or above 192 kHz. The blocks throw it too, if the file is damaged or too long
 */
export async function openAudio(file: string): Promise<AudioStream> {
  const reader = await ByteReader.open(file);
  try {
    const open = await findOpener(reader);
    const audio = await open(reader);
    checkShape(audio);
    const { samples } = audio;
    return {
      ...audio,
      blocks: limitDuration(audio, reader),
      ...(samples !== undefined && { samples: { ...samples, parts: closeAfter(samples.parts, reader) } }),
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/** Finds the function for the file's format. Moves the reader to the first byte of the audio. */
async function findOpener(reader: ByteReader): Promise<(reader: ByteReader) => Promise<AudioStream>> {
  if (reader.size === 0) throw unusable("The file is empty: export or upload it again.");
  const audio = await findAudio(reader);
  reader.position = 0;
  if (audio?.type === "m4a") throw unusable("M4A and AAC cannot be read here: export WAV, FLAC or MP3.");
  const open = audio === null ? undefined : openers[audio.type];
  if (audio !== null && open !== undefined) {
    reader.position = audio.offset;
    return open;
  }
  const other = nameOther(await reader.read(sniffedBytes));
  throw unusable(
    other === null
      ? "The file is no audio that can be read here: export WAV, FLAC or MP3."
      : `The file is ${other}, which cannot be read here: export WAV, FLAC or MP3.`,
  );
}

function checkShape({ sampleRate, channels }: AudioStream): void {
  if (channels !== 1 && channels !== 2)
    throw unusable(`The file has ${channels} channels: export it in mono or stereo.`);
  if (!(sampleRate >= minSampleRate && sampleRate <= maxSampleRate))
    throw unusable(`The file has a sample rate of ${sampleRate} Hz: export it with 44.1 or 48 kHz.`);
}

async function* closeAfter<Part>(parts: AsyncIterable<Part>, reader: ByteReader): AsyncGenerator<Part> {
  try {
    yield* parts;
  } finally {
    await reader.close();
  }
}

async function* limitDuration({ sampleRate, blocks }: AudioStream, reader: ByteReader): AsyncGenerator<AudioBlock> {
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
