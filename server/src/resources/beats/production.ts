import { tempoInGenre } from "@beatmarket/audio/analysis/tempo/tempo-ranges.ts";
import { parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import type { Analysis } from "../uploads/upload.ts";
import type { BeatDetail } from "./beat.ts";
import { type Stage, wasPublished } from "./state.ts";

// The additional data of beats that were created or edited in this service, or whose recording the service rendered
// (publishing/attach-files.ts). A beat that was only imported has none. Pure.

/** The sources of a tempo or key. */
export const valueSources = ["producer", "analysis"] as const;
export type ValueSource = (typeof valueSources)[number];

/** The row of `beat_productions`, as `productionJson` reads it. */
export interface Production {
  stage: Stage;
  /** 1 at first; each edit and each publishing adds 1. For If-Match. */
  version: number;
  /** The run of the change that made this version; null for a change without an Idempotency-Key. */
  changed_by_run: string | null;
  /** Whether the beat was ever published. */
  was_published: boolean;
  /** `default`, `none`, or the id of the upload that is mixed into the preview. */
  preview_tag: string;
  bpm_source: ValueSource | null;
  key_source: ValueSource | null;
  /** The analysis of the published recording; for a draft, of the recording that would be published. */
  analysis: Analysis | null;
  /** The time at which the beat will be published automatically, in ISO 8601; null: never. */
  publish_at: string | null;
  /** The reason why the last publishing failed; null if it did not fail. */
  rejection: string | null;
  /** SHA-256 of the published waveform. */
  waveform: string | null;
}

/** A beat with the fields of `GET /beats/{id}`. An imported beat may have no production. */
export interface SingleBeat extends BeatDetail {
  production: Production | null;
}

/** The version of a beat for If-Match. An imported beat that was never edited has version 1. */
export const editVersionOf = ({ production }: SingleBeat): number => production?.version ?? 1;

/** The SQL expression for the production of a beat, as JSON. `beats.id` must be in scope. */
export const productionJson = `(
  select json_build_object(
    'stage', stage, 'version', version, 'changed_by_run', changed_by_run, 'was_published', published_at is not null, 'preview_tag', preview_tag,
    'bpm_source', bpm_source, 'key_source', key_source, 'rejection', rejection, 'publish_at', publish_at,
    'analysis', case when published_at is null
      then (select uploads.analysis from uploads where uploads.id = audio_upload_id)
      else production.analysis end,
    'waveform', (select sha256 from beat_files file where file.beat_id = production.beat_id and name = 'waveform'))
  from beat_productions production where production.beat_id = beats.id)`;

/**
 * Fills in the analysed values that the producer of a beat did not set. A beat that was published is returned
 * unchanged, since its row has the values.
 */
export function withAnalysis<B extends SingleBeat>(beat: B): B {
  if (wasPublished(beat)) return beat;
  return { ...beat, ...analysedValues(beat, beat.production?.analysis ?? null) };
}

/** The duration, and the tempo and key with their sources, after an analysis. The producer's values stay. */
export function analysedValues<B extends Pick<SingleBeat, "tempo" | "key" | "key_code" | "genre_name" | "production">>(
  { tempo, key, key_code, genre_name, production }: B,
  analysis: Analysis | null,
) {
  if (production === null) throw new Error("A beat without a production has no analysis.");
  const ownTempo = production.bpm_source === "producer";
  const ownKey = production.key_source === "producer";
  const analysed = parseKey(analysis?.key ?? "");
  return {
    tempo: ownTempo ? tempo : analysedTempo(analysis, genre_name),
    key: ownKey ? key : analysed.key,
    key_code: ownKey ? key_code : analysed.keyCode,
    duration_seconds: analysis?.duration ?? 0,
    production: {
      ...production,
      analysis,
      bpm_source: ownTempo ? ("producer" as const) : sourceIf(analysis?.bpm),
      key_source: ownKey ? ("producer" as const) : sourceIf(analysis?.key),
    },
  };
}

/** The analysed tempo, halved or doubled so that it fits the genre's range; 0 if the analysis has no tempo. */
export const analysedTempo = (analysis: Analysis | null, genreName: string): number =>
  analysis?.bpm == null ? 0 : tempoInGenre(analysis.bpm, genreName);

const sourceIf = (value: unknown): "analysis" | null => (value === null || value === undefined ? null : "analysis");
