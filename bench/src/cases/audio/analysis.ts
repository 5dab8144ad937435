import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ReportingBench } from "../../bench.ts";
import type { Row } from "../../report/report.ts";
import { median } from "../../report/statistics.ts";
import { isOctaveOf, isSameKey, isTempo } from "./accuracy.ts";

const run = promisify(execFile);
const generatedLoops = 60;

/** A file with its labels, `bpm` and `key`, and the results of the analysis, `found…`. */
interface LabelledFile {
  path: string;
  /** The half of the files to which this file belongs, chosen by its hash: 0 or 1. */
  half: number;
  bpm: number | null;
  foundBpm: number | null;
  /** The result for the sound, repeated to at least 47.3 s. */
  foundBpmRepeated: number | null;
  key: string | null;
  foundKey: string | null;
}

interface RenderedLoop {
  bpm: number;
  foundBpm: number | null;
  foundBpmByGenre: number | null;
  key: string;
  foundKey: string | null;
}

interface Round {
  decodeMs: number;
  estimateMs: number;
  analyseMs: number;
}

/**
 * Reports the accuracy of tempo and key for labelled files (`--audio`) and rendered loops, and compares the CPU time of
 * an analysis with the CPU time of decoding.
 */
export async function analysis({ audio, rounds, report, say }: ReportingBench): Promise<void> {
  if (audio === undefined) say("  --audio FOLDER adds labelled files");
  else reportLabelled(await tool<LabelledFile[]>("labelled", audio), report);
  reportGenerated(await tool<RenderedLoop[]>("generated", String(generatedLoops)), report);
  reportTime(await tool<Round[]>("time", String(rounds)), report);
}

function reportLabelled(files: readonly LabelledFile[], report: (row: Row) => void): void {
  const withBpm = files.filter((file): file is LabelledFile & { bpm: number } => file.bpm !== null);
  const withKey = files.filter((file): file is LabelledFile & { key: string } => file.key !== null);
  const octave = ({ bpm, foundBpm }: (typeof withBpm)[number]) => isOctaveOf(foundBpm, bpm);
  const exact = ({ bpm, foundBpm }: (typeof withBpm)[number]) => isTempo(foundBpm, bpm);
  const share = (name: string, hits: readonly boolean[], target: Row["target"] = null) =>
    report({ case: `analysis: ${name}`, value: shareOf(hits), unit: `of ${hits.length} files`, target });

  share("tempo within 4 %, octaves allowed", withBpm.map(octave), { min: 0.85 });
  share("tempo within 4 %", withBpm.map(exact), { min: 0.7 });
  for (const half of [0, 1]) {
    const files = withBpm.filter((file) => file.half === half);
    share(`half ${half + 1}: octaves allowed`, files.map(octave));
    share(`half ${half + 1}: tempo`, files.map(exact));
  }
  share(
    "repeated to 47.3 s: octaves allowed",
    withBpm.map(({ bpm, foundBpmRepeated }) => isOctaveOf(foundBpmRepeated, bpm)),
  );
  share(
    "repeated to 47.3 s: tempo",
    withBpm.map(({ bpm, foundBpmRepeated }) => isTempo(foundBpmRepeated, bpm)),
  );
  report({
    case: "analysis: keys, with the mode where it is labelled",
    value: withKey.filter(({ key, foundKey }) => isSameKey(foundKey, key)).length,
    unit: `of ${withKey.length} files`,
    target: { min: 10 },
  });
}

/** The figures have no target, since the same authors wrote the loops and the analysis. */
function reportGenerated(loops: readonly RenderedLoop[], report: (row: Row) => void): void {
  const share = (name: string, hits: readonly boolean[]) =>
    report({
      case: `analysis, rendered: ${name}`,
      value: shareOf(hits),
      unit: `of ${hits.length} loops`,
      target: null,
    });
  share(
    "tempo, octaves allowed",
    loops.map(({ bpm, foundBpm }) => isOctaveOf(foundBpm, bpm)),
  );
  share(
    "tempo",
    loops.map(({ bpm, foundBpm }) => isTempo(foundBpm, bpm)),
  );
  share(
    "tempo with the genre",
    loops.map(({ bpm, foundBpmByGenre }) => isTempo(foundBpmByGenre, bpm)),
  );
  share(
    "key",
    loops.map(({ key, foundKey }) => isSameKey(foundKey, key)),
  );
}

function reportTime(rounds: readonly Round[], report: (row: Row) => void): void {
  const ratio = (name: string, figureOf: (round: Round) => number, max: number) =>
    report({ case: `analysis: ${name}`, value: median(rounds.map(figureOf)), unit: "× decoding", target: { max } });
  report({
    case: "analysis: decoding three minutes of MP3",
    value: median(rounds.map(({ decodeMs }) => decodeMs)),
    unit: "ms of CPU",
    target: null,
  });
  ratio("tempo and key", ({ decodeMs, estimateMs }) => estimateMs / decodeMs - 1, 6);
  ratio("all, decoding included", ({ decodeMs, analyseMs }) => analyseMs / decodeMs, 15);
}

const shareOf = (hits: readonly boolean[]): number => hits.filter(Boolean).length / hits.length;

async function tool<Result>(task: string, parameter: string): Promise<Result> {
  const program = fileURLToPath(new URL("../../../../server/tools/load/analysis-load.main.ts", import.meta.url));
  const { stdout } = await run(process.execPath, [program, task, parameter], { maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(stdout) as Result;
}
