import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const sampleRate = 22_050;

/** A WAV file of clicks at 120 BPM over a tone: 16 bit, mono. Each `seed` makes a different recording. */
export function waveFile(seconds: number, seed: number): Buffer {
  const samples = sampleRate * seconds;
  const file = Buffer.alloc(44 + samples * 2);
  file.write("RIFF", 0);
  file.writeUInt32LE(36 + samples * 2, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36);
  file.writeUInt32LE(samples * 2, 40);
  for (let sample = 0; sample < samples; sample += 1) {
    const sinceClick = sample % (sampleRate / 2);
    const click = sinceClick < 500 ? Math.sin(sinceClick * 0.8) * (1 - sinceClick / 500) : 0;
    const tone = Math.sin((2 * Math.PI * (220 + seed * 7) * sample) / sampleRate);
    file.writeInt16LE(Math.round(20_000 * click + 6_000 * tone), 44 + sample * 2);
  }
  return file;
}

/** Writes a file of a scenario into a folder. Returns its path. */
export async function fileOf(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}
