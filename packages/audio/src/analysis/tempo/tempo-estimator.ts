import type { Estimate } from "../../media-task.ts";
import { autocorrelation } from "./autocorrelation.ts";
import { OnsetStrength } from "./onset-strength.ts";
import { type TempoCandidate, tempoCandidates } from "./tempo-candidates.ts";
import { inOctaveOf, tempoRange } from "./tempo-ranges.ts";
import { refineTempo } from "./tempo-refinement.ts";

/** A file below this length is taken for a loop. */
const loopSeconds = 30;
/** Shorter is a single stroke. */
const shortestSeconds = 1;
/** Below this the onsets do not repeat. */
const leastSalience = 0.015;
/** A salience that is as clear as it gets. */
const clearSalience = 0.1;
/** Beats per minute to a whole number. */
const snapDistance = 0.1;

/**
 * Estimates a constant tempo from streamed samples: the autocorrelation of onset strength under a comb of beats, after
 * Percival & Tzanetakis 2014. docs/analysis.md has the method and its accuracy. Keeps the onsets, not the samples: 1.4 kB
 * per second.
 */
export class TempoEstimator {
  readonly #onsets: OnsetStrength;

  /** `sampleRate` in hertz, of the blocks that follow. */
  constructor(sampleRate: number) {
    this.#onsets = new OnsetStrength(sampleRate, loopSeconds);
  }

  /** Samples of one channel, or the mean of several, in blocks of any length. */
  add(mono: Float32Array): void {
    this.#onsets.add(mono);
  }

  /**
   * The tempo of what was added, in beats per minute: with a genre in its octave, whole within 0.1. The alternative is the
   * next candidate, mostly the half or the double. Null where nothing beats. Nothing can be added afterwards.
   */
  result({ genre }: { genre?: string | undefined } = {}): Estimate<number> | null {
    const { seconds, frameRate } = this.#onsets;
    if (seconds < shortestSeconds) return null;
    const onsets = this.#onsets.finish();
    const lags = autocorrelation(onsets);
    if (lags === null) return null;
    const candidates = tempoCandidates(lags, frameRate, seconds < loopSeconds ? seconds : null);
    const [best] = candidates;
    if (best === undefined || best.salience < leastSalience) return null;

    const pulse = refineTempo(onsets, frameRate, best.tempo);
    const range = genre === undefined ? null : tempoRange(genre);
    const tempo = range === null ? pulse : inOctaveOf(range, pulse);
    const other = tempo === pulse ? candidates[1] : best;
    return {
      value: snapped(tempo),
      confidence: confidenceOf(candidates),
      alternative: other === undefined ? null : snapped(inRatio(other.tempo, tempo)),
    };
  }
}

/** The share of the best candidate among all, less where the onsets hardly repeat. */
function confidenceOf(candidates: readonly TempoCandidate[]): number {
  const best = candidates[0] as TempoCandidate;
  const sum = candidates.reduce((total, { score }) => total + Math.exp(score - best.score), 0);
  return Number((Math.min(1, best.salience / clearSalience) / sum).toFixed(2));
}

/** A second candidate in a simple ratio to the first is exactly in it: only the first is refined. */
function inRatio(tempo: number, first: number): number {
  const ratio = [1 / 3, 1 / 2, 2 / 3, 3 / 4, 4 / 3, 3 / 2, 2, 3].find(
    (simple) => Math.abs(tempo / first / simple - 1) < 0.02,
  );
  return ratio === undefined ? tempo : first * ratio;
}

function snapped(tempo: number): number {
  const whole = Math.round(tempo);
  return Math.abs(tempo - whole) <= snapDistance ? whole : Number(tempo.toFixed(2));
}
