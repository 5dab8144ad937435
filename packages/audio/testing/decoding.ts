import { expect } from "vitest";
import { openAudio } from "../src/formats/open-audio.ts";
import { MediaTaskError } from "../src/media-task.ts";
import { mediaFile } from "./files.ts";
import type { Signal } from "./signals.ts";

export interface Decoded extends Signal {
  format: string;
  bitDepth?: number | undefined;
}

/** Decodes a file. */
export async function decode(bytes: Uint8Array): Promise<Decoded> {
  const { blocks, ...shape } = await openAudio(await mediaFile(bytes));
  const parts: Float32Array[][] = Array.from({ length: shape.channels }, () => []);
  for await (const block of blocks) for (const [channel, samples] of block.entries()) parts[channel]?.push(samples);
  return { ...shape, channels: parts.map(join) };
}

function join(parts: Float32Array[]): Float32Array {
  const result = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let start = 0;
  for (const part of parts) {
    result.set(part, start);
    start += part.length;
  }
  return result;
}

/** The reason why a file is refused. Throws if it is accepted. */
export async function reason(bytes: Uint8Array): Promise<string> {
  const error: unknown = await decode(bytes).then(
    () => "It was decoded.",
    (refusal) => refusal,
  );
  if (!(error instanceof MediaTaskError)) throw error;
  expect(error.isFinal).toBe(true);
  return error.reason;
}

/** The largest difference between two signals, which must have the same length. */
export function difference(a: Signal, b: Signal): number {
  expect(a.channels.map(({ length }) => length)).toEqual(b.channels.map(({ length }) => length));
  return Math.max(
    ...a.channels.map((samples, channel) =>
      samples.reduce(
        (maximum, sample, frame) => Math.max(maximum, Math.abs(sample - (b.channels[channel]?.[frame] ?? 2))),
        0,
      ),
    ),
  );
}
