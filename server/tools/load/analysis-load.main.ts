import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyse } from "@beatmarket/audio/analysis/analyse.ts";
import { KeyEstimator } from "@beatmarket/audio/analysis/key/key-estimator.ts";
import { TempoEstimator } from "@beatmarket/audio/analysis/tempo/tempo-estimator.ts";
import type { AudioBlock } from "@beatmarket/audio/formats/audio-stream.ts";
import { openAudio } from "@beatmarket/audio/formats/open-audio.ts";
import { renderLoop } from "@beatmarket/audio/synthesizer/loop.ts";
import { keyName, parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import { parse } from "csv-parse/sync";
import { createMp3Encoder } from "wasm-media-encoders";
import { demoGenres } from "../../src/demo/genres.ts";

// Measures the analysis of audio for the bench. Prints one line of JSON. Arguments, one task:
//   labelled FOLDER   estimates for the files of FOLDER/ground_truth.csv, next to their labels
//   generated COUNT   estimates for COUNT rendered loops, next to the properties that they were rendered from
//   time ROUNDS       CPU milliseconds of three minutes of MP3, in each round
const [task, parameter = ""] = process.argv.slice(2);
const tasks: Record<string, (parameter: string) => Promise<unknown>> = { labelled, generated, time };
console.log(JSON.stringify(await tasks[task ?? ""]?.(parameter)));

interface Sound {
  sampleRate: number;
  mono: Float32Array;
}

/** Analyses each file unchanged, and repeated to 47.3 s, so that the length says nothing about the tempo. */
async function labelled(folder: string) {
  const text = await readFile(join(folder, "ground_truth.csv"), "utf8");
  const rows: Record<string, string>[] = parse(text, { columns: true });
  const files = [];
  for (const { path = "", sha256 = "", bpm, key } of rows) {
    if (bpm === "" && key === "") continue;
    const sound = await decoded(join(folder, path));
    files.push({
      path,
      // The bench reports two halves of the files separately. The hash keeps each file in the same half.
      half: Number.parseInt(sha256.slice(0, 1), 16) % 2,
      bpm: bpm === "" ? null : Number(bpm),
      foundBpm: tempoOf(sound),
      foundBpmRepeated: tempoOf(repeated(sound, 47.3)),
      key: key === "" ? null : parseKey((key ?? "").replace(/\(.*\)/, "")).key,
      foundKey: keyOf(sound),
    });
  }
  return files;
}

async function generated(count: string) {
  return Array.from({ length: Number(count) }, (_, id) => {
    const { name: genreName, tempo: range } = demoGenres[id % demoGenres.length] ?? demoGenres[0];
    const tempo = range[0] + ((id * 7) % (range[1] - range[0] + 1));
    const keyCode = (id * 5) % 24;
    const sound = rendered({ id: 1_000 + id, tempo, keyCode, genreName });
    return {
      bpm: tempo,
      foundBpm: tempoOf(sound),
      foundBpmByGenre: tempoOf(sound, genreName),
      key: keyName(keyCode),
      foundKey: keyOf(sound),
    };
  });
}

async function time(rounds: string) {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-analysis-"));
  try {
    const file = join(folder, "beat.mp3");
    await writeFile(file, await threeMinutesOfMp3());
    const measured = [];
    for (let round = 0; round < Number(rounds); round++) {
      measured.push({
        decodeMs: await cpuMs(() => decodeInto(file, () => () => {})),
        estimateMs: await cpuMs(() => decodeInto(file, estimators)),
        analyseMs: await cpuMs(() => analyse({ input: file, outDir: folder })),
      });
    }
    return measured;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function estimators(sampleRate: number): (block: AudioBlock) => void {
  const tempo = new TempoEstimator(sampleRate);
  const key = new KeyEstimator(sampleRate);
  return (block) => {
    const mono = mixToMono(block);
    tempo.add(mono);
    key.add(mono);
  };
}

async function decodeInto(file: string, open: (sampleRate: number) => (block: AudioBlock) => void): Promise<void> {
  const { sampleRate, blocks } = await openAudio(file);
  const add = open(sampleRate);
  for await (const block of blocks) add(block);
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function threeMinutesOfMp3(): Promise<Buffer> {
  const { sampleRate, mono } = repeated(rendered({ id: 5, tempo: 140, keyCode: 14, genreName: "Trap" }), 180);
  const encoder = await createMp3Encoder();
  encoder.configure({ sampleRate: sampleRate as 44_100, channels: 2, bitrate: 192 });
  const parts = [];
  for (let at = 0; at < mono.length; at += sampleRate) {
    const second = mono.subarray(at, at + sampleRate);
    parts.push(Buffer.from(encoder.encode([second, second])));
  }
  return Buffer.concat([...parts, encoder.finalize()]);
}

function tempoOf({ sampleRate, mono }: Sound, genre?: string): number | null {
  const estimator = new TempoEstimator(sampleRate);
  estimator.add(mono);
  return estimator.result({ genre })?.value ?? null;
}

function keyOf({ sampleRate, mono }: Sound): string | null {
  const estimator = new KeyEstimator(sampleRate);
  estimator.add(mono);
  return estimator.result()?.value ?? null;
}

async function decoded(file: string): Promise<Sound> {
  const { sampleRate, blocks } = await openAudio(file);
  const parts: Float32Array[] = [];
  for await (const block of blocks) parts.push(mixToMono(block));
  const mono = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    mono.set(part, at);
    at += part.length;
  }
  return { sampleRate, mono };
}

function mixToMono([left = new Float32Array(), right = left]: AudioBlock): Float32Array {
  const mono = new Float32Array(left.length);
  for (let n = 0; n < mono.length; n++) mono[n] = ((left[n] ?? 0) + (right[n] ?? 0)) / 2;
  return mono;
}

function rendered(beat: Parameters<typeof renderLoop>[0]): Sound {
  const wav = renderLoop(beat);
  const mono = Float32Array.from({ length: (wav.length - 44) / 4 }, (_, n) => {
    return (wav.readInt16LE(44 + 4 * n) + wav.readInt16LE(46 + 4 * n)) / 65_536;
  });
  return { sampleRate: 44_100, mono };
}

/** A sound that is repeated to this length. A longer one is unchanged. */
function repeated({ sampleRate, mono }: Sound, seconds: number): Sound {
  const length = Math.max(mono.length, Math.round(seconds * sampleRate));
  return { sampleRate, mono: Float32Array.from({ length }, (_, n) => mono[n % mono.length] ?? 0) };
}
