import { segmentFrames } from "./autocorrelation.ts";

const slowestTempo = 40;
const fastestTempo = 220;
const tempoStep = 1.002;
/** The number of teeth of the comb: successive beats at which the onsets must repeat. */
const combBeats = 8;
// The prior distribution of tempos: centred at 125 BPM, with a standard deviation of half an octave.
const usualTempo = 125;
const usualOctaves = 0.5;
/** The usual lengths of a loop in beats: 1, 2, 4, 8 and 16 bars of four beats. */
const loopBeats = [4, 8, 16, 32, 64];
/** The tolerated deviation of a loop's length, as a share. */
const loopTolerance = 0.015;

export interface TempoCandidate {
  /** Beats per minute. */
  tempo: number;
  /** The periodicity of the onsets at this tempo: the mean autocorrelation after 1 to 8 beats, at most 1. */
  salience: number;
  /** The logarithm of salience and prior. Only differences of scores are meaningful. */
  score: number;
}

/**
 * The tempos at which the onsets repeat, best first. `loopSeconds` is the length of a loop, or null: tempos at which
 * the loop has a usual number of bars get a higher score.
 */
export function tempoCandidates(
  lags: Float64Array,
  frameRate: number,
  loopSeconds: number | null,
): readonly TempoCandidate[] {
  const curve: TempoCandidate[] = [];
  for (let tempo = slowestTempo; tempo <= fastestTempo; tempo *= tempoStep) {
    const salience = comb(lags, (60 * frameRate) / tempo, loopSeconds === null ? Infinity : loopSeconds * frameRate);
    const octaves = Math.log2(tempo / usualTempo) / usualOctaves;
    const prior = -0.5 * octaves * octaves + (loopSeconds === null ? 0 : loopFit((tempo * loopSeconds) / 60));
    curve.push({ tempo, salience, score: 2 * Math.log(Math.max(salience, 1e-3)) + prior });
  }
  const isPeak = ({ score }: TempoCandidate, index: number) =>
    score > (curve[index - 1]?.score ?? Infinity) && score >= (curve[index + 1]?.score ?? Infinity);
  return curve.filter(isPeak).sort((a, b) => b.score - a.score);
}

/** The mean autocorrelation after 1 to 8 beats. Ignores lags of a whole loop, at which every loop repeats exactly. */
function comb(lags: Float64Array, beatFrames: number, loopFrames: number): number {
  let sum = 0;
  let beats = 0;
  for (let beat = 1; beat <= combBeats && beat * beatFrames < 0.95 * segmentFrames; beat++) {
    const lag = beat * beatFrames;
    const loops = lag / loopFrames;
    if (Math.abs(loops - Math.round(loops)) < loopTolerance * 2 && Math.round(loops) > 0) continue;
    const before = Math.floor(lag);
    const low = lags[before] ?? 0;
    const high = lags[before + 1] ?? 0;
    sum += low + (high - low) * (lag - before);
    beats++;
  }
  return beats === 0 ? 0 : sum / beats;
}

/** 1 if a loop has exactly a usual number of beats, decreasing to 0 with the distance to the nearest usual number. */
function loopFit(beats: number): number {
  return Math.max(...loopBeats.map((length) => Math.exp(-0.5 * ((beats / length - 1) / loopTolerance) ** 2)));
}
