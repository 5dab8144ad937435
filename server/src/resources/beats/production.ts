import { tempoInGenre } from "@beatmarket/audio/analysis/tempo/tempo-ranges.ts";
import { parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import type { Analysis } from "../uploads/upload.ts";
import type { BeatDetail } from "./beat.ts";

// What a beat that its producer made here has beyond one that was imported. Pure.

/** What a beat is to its producer. */
export const beatStatuses = ["draft", "processing", "published", "withdrawn"] as const;
export type BeatStatus = (typeof beatStatuses)[number];

/** Where a tempo or key comes from. */
export const valueSources = ["producer", "analysis"] as const;
export type ValueSource = (typeof valueSources)[number];

/** The row of `beat_productions`, as `productionJson` reads it. */
export interface Production {
  /** `processing` also of a listed beat whose new files are not ready yet. */
  stage: "draft" | "processing" | "released";
  /** Counts edits, for If-Match. */
  version: number;
  /** Whether it was ever on sale. What was not, nobody but its producer may know of. */
  was_published: boolean;
  /** `default`, `none`, or the id of the upload that is mixed into the preview. */
  preview_tag: string;
  bpm_source: ValueSource | null;
  key_source: ValueSource | null;
  /** Of the published recording; of a draft, of the one that would be published. */
  analysis: Analysis | null;
  /** Why the last publishing failed. */
  rejection: string | null;
  /** SHA-256 of the published waveform. */
  waveform: string | null;
}

/** A beat as `GET /beats/{id}` shows it. Imported beats have no production. */
export interface SingleBeat extends BeatDetail {
  production: Production | null;
}

/** Counts edits, for If-Match; a beat that was imported and never edited is at its first. */
export const editVersionOf = ({ production }: SingleBeat): number => production?.version ?? 1;

/** The expression that reads the production of a row of `beats`, whose `id` is in scope by that name alone. */
export const productionJson = `(
  select json_build_object(
    'stage', stage, 'version', version, 'was_published', published_at is not null, 'preview_tag', preview_tag,
    'bpm_source', bpm_source, 'key_source', key_source, 'rejection', rejection,
    'analysis', case when published_at is null
      then (select uploads.analysis from uploads where uploads.id = audio_upload_id)
      else production.analysis end,
    'waveform', (select sha256 from beat_files file where file.beat_id = production.beat_id and name = 'waveform'))
  from beat_productions production where production.beat_id = beats.id)`;

/** The same as `statusOf`, for rows of `beats` joined with `beat_productions`, as SQL. */
export const statusSql = `(case
  when is_listed or exclusive_state = 'sold' then 'published'
  when stage in ('draft', 'processing') then stage
  else 'withdrawn' end)`;

/** A sold beat stays published, though it has left the lists. */
export function statusOf({ is_listed, exclusive_state, production }: SingleBeat): BeatStatus {
  if (is_listed || exclusive_state === "sold") return "published";
  return production === null || production.stage === "released" ? "withdrawn" : production.stage;
}

/**
 * A beat with what analysis says wherever its producer said nothing. Only of beats that were never published: a published
 * one has its values in its row.
 */
export function withAnalysis<Its extends SingleBeat>(beat: Its): Its {
  const { production } = beat;
  if (production === null || production.was_published) return beat;
  return { ...beat, ...analysedValues(beat, production.analysis) };
}

/** Tempo, key, duration and their sources, after an analysis. What the producer gave stays. */
export function analysedValues<
  Its extends Pick<SingleBeat, "tempo" | "key" | "key_code" | "genre_name" | "production">,
>({ tempo, key, key_code, genre_name, production }: Its, analysis: Analysis | null) {
  if (production === null) throw new Error("Only what a producer made is analysed.");
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

/** The tempo of an analysis in the octave of the beat's genre; 0 without one. */
export const analysedTempo = (analysis: Analysis | null, genreName: string): number =>
  analysis?.bpm == null ? 0 : tempoInGenre(analysis.bpm, genreName);

const sourceIf = (value: unknown): "analysis" | null => (value === null || value === undefined ? null : "analysis");
