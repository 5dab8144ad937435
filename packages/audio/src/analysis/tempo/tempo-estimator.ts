import type { Estimate } from "../../media-task.ts";
import { autocorrelation } from "./autocorrelation.ts";
import { OnsetStrength } from "./onset-strength.ts";
import { type TempoCandidate, tempoCandidates } from "./tempo-candidates.ts";
import { tempoInRange, tempoRange } from "./tempo-ranges.ts";
import { refineTempo } from "./tempo-refinement.ts";

/** A shorter file is treated as a loop. */
const loopSeconds = 30;
/** A shorter file has no tempo: it is a single sound. */
const minSeconds = 1;
/** Below this salience the onsets do not repeat. */
const minSalience = 0.015;
/** A higher salience does not increase the confidence. */
const clearSalience = 0.1;
/** A tempo within this distance of an integer is rounded to it. */
const snapDistance = 0.1;

/**
 * Estimates the constant tempo of streamed samples: applies a comb of beats to the autocorrelation of onset strength
 * (after Percival & Tzanetakis 2014). See docs/analysis.md for the method and its accuracy. Stores the onsets of the
 * whole file (1.4 kB per second), and the samples of the first 30 seconds, which may be a loop.
 */
export class TempoEstimator {
  readonly #onsets: OnsetStrength;

  /** `sampleRate` is the sample rate of the blocks in hertz. */
  constructor(sampleRate: number) {
    this.#onsets = new OnsetStrength(sampleRate, loopSeconds);
  }

  /** Adds samples of one channel, or the mean of several channels. Blocks may have any length. */
  add(mono: Float32Array): void {
    this.#onsets.add(mono);
  }

  /**
   * The tempo of all added samples in beats per minute, rounded if it is within 0.1 of an integer. A genre selects the
   * octave. The alternative is the tempo before the genre changed it, or else the second candidate. Null for a file of
   * less than a second, and if nothing repeats. No samples can be added afterwards.
   */
  result({ genre }: { genre?: string | undefined } = {}): Estimate<number> | null {
    const { seconds, frameRate } = this.#onsets;
    if (seconds < minSeconds) return null;
    const onsets = this.#onsets.finish();
    const lags = autocorrelation(onsets);
    if (lags === null) return null;
    const candidates = tempoCandidates(lags, frameRate, seconds < loopSeconds ? seconds : null);
    const [best] = candidates;
    if (best === undefined || best.salience < minSalience) return null;

    const pulse = refineTempo(onsets, frameRate, best.tempo);
    const range = genre === undefined ? null : tempoRange(genre);
    const tempo = range === null ? pulse : tempoInRange(pulse, range);
    const other = tempo === pulse ? candidates[1] : best;
    return {
      value: roundTempo(tempo),
      confidence: confidenceOf(candidates),
      alternative: other === undefined ? null : roundTempo(toSimpleRatio(other.tempo, tempo)),
    };
  }
}

/** The share of the best candidate in all candidates, reduced if its salience is low. */
function confidenceOf(candidates: readonly TempoCandidate[]): number {
  const best = candidates[0] as TempoCandidate;
  const sum = candidates.reduce((total, { score }) => total + Math.exp(score - best.score), 0);
  return Number((Math.min(1, best.salience / clearSalience) / sum).toFixed(2));
}

/**
 * The tempo in exactly a simple ratio to the first tempo, if it is nearly in that ratio; otherwise the tempo itself.
 * Only the first tempo is refined.
 */
function toSimpleRatio(tempo: number, first: number): number {
  const ratio = [1 / 3, 1 / 2, 2 / 3, 3 / 4, 4 / 3, 3 / 2, 2, 3].find(
    (simple) => Math.abs(tempo / first / simple - 1) < 0.02,
  );
  return ratio === undefined ? tempo : first * ratio;
}

function roundTempo(tempo: number): number {
  const rounded = Math.round(tempo);
  return Math.abs(tempo - rounded) <= snapDistance ? rounded : Number(tempo.toFixed(2));
}
