import type { FacetCount, Facets } from "@beatmarket/catalogue-index/query.ts";
import { keyName } from "@beatmarket/foundation/music/musical-key.ts";
import { money, timestamp } from "@beatmarket/http/formats.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import Type from "typebox";
import { AnalysisSchema } from "../uploads/present.ts";
import type { Analysis } from "../uploads/upload.ts";
import type { Beat, BeatDetail } from "./beat.ts";
import type { GenreName } from "./catalogue/beat-catalogue.ts";
import { licensesOf } from "./licensing/licenses.ts";
import { licenseSettings, ShownLicenseSettings } from "./licensing/settings.ts";
import { type Production, type SingleBeat, valueSources } from "./production.ts";
import { beatStatuses, statusOf } from "./state.ts";

// The parts of a beat that are equal in both forms.

export const url = Type.String({ format: "uri" });
export const time = Type.String({ format: "date-time", description: "A time in ISO 8601, UTC, whole seconds." });

/** Schema of `beatDetails`. */
export const detailFields = {
  description: Type.String(),
  tags: Type.Array(Type.String()),
  licenses: Type.Array(
    Type.Object({
      type: Type.Enum([...licenseTypes]),
      price: Type.Number(),
      available: Type.Boolean({
        description:
          "Whether the license can be bought now. False for every license while the exclusive one is being bought, and after it is sold.",
      }),
    }),
  ),
  updated_at: time,
};

/** The public fields of a single beat that come from its row. */
export const beatDetails = (beat: BeatDetail) => ({
  description: beat.description,
  tags: beat.tags,
  licenses: licensesOf(beat),
  updated_at: timestamp(beat.updated_at),
});

export const isDetailed = (beat: Beat | SingleBeat): beat is SingleBeat => "description" in beat;

/** Whole beats per minute, at least 1; 0 for a draft with an unknown tempo. */
export const bpm = ({ tempo }: Beat): number => (tempo === 0 ? 0 : Math.max(1, Math.round(tempo)));

/** The URL of the beat's own preview, or of the loop that the service renders for it. */
export const audioUrl = ({ audio_url, id }: Beat, publicUrl: string): string =>
  absolute(audio_url ?? `/media/beats/${id}.wav`, publicUrl);

/** The URL of the beat's own cover, or of the one that the service draws for it. */
export const coverImage = ({ cover_image, id }: Pick<Beat, "cover_image" | "id">, publicUrl: string): string =>
  absolute(cover_image ?? `/media/beats/${id}.svg`, publicUrl);

/** Addresses of our own files are stored without an origin, because the origin may change. */
const absolute = (url: string, publicUrl: string): string => (url.startsWith("/") ? `${publicUrl}${url}` : url);

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));
const source = Type.Enum([...valueSources]);

/** Schema of `singleBeatFields`. */
export const analysisFields = {
  waveform_url: orNull(
    Type.String({ format: "uri" }),
    "The waveform of the whole beat, as JSON of audiowaveform's version 2. Null if there is none.",
  ),
  analysis: orNull(AnalysisSchema, "The results of the analysis. Null if the recording was not analysed."),
};

/** Schema of `ownBeatFields`. */
export const ownFields = {
  status: Type.Optional(
    Type.Enum([...beatStatuses], {
      description: "The status of the beat. Only its producer gets this field and those below.",
    }),
  ),
  bpm_source: orNull(source, "The source of `bpm`. Null while it is unknown."),
  key_source: orNull(source, "The source of `key`. Null while it is unknown."),
  preview_tag: Type.Optional(
    Type.String({ description: "The tag that is mixed into the preview: `default`, `none`, or the id of an upload." }),
  ),
  license_settings: Type.Optional(ShownLicenseSettings),
  free_download: Type.Optional(
    Type.Boolean({ description: "Whether people who give an e-mail address get the tagged MP3 for free." }),
  ),
  publish_at: orNull(
    Type.String({ format: "date-time" }),
    "The time of the planned publishing. Null if none is planned. It stays until the beat is on sale or could not be published.",
  ),
  rejection: orNull(Type.String(), "Why the last publishing failed, as a sentence. Null if it did not."),
};

/** The public fields of a single beat that come from its production. */
export const singleBeatFields = ({ id, production }: SingleBeat, publicUrl: string) => ({
  waveform_url:
    production === null || production.waveform === null
      ? null
      : `${publicUrl}/media/beats/${id}/waveform-${production.waveform.slice(0, 12)}.json`,
  analysis: production === null ? null : withFieldsInOrder(production.analysis),
});

/** Restores the order of the fields of an analysis, which a jsonb column does not keep. */
function withFieldsInOrder(analysis: Analysis | null): Analysis | null {
  if (analysis === null) return null;
  return Object.fromEntries(
    Object.keys(AnalysisSchema.properties).map((name) => [name, analysis[name as keyof Analysis]]),
  ) as unknown as Analysis;
}

const sourcesIn = ({ bpm_source, key_source }: Production) => ({ bpm_source, key_source });

/** Imported values count as the producer's, before the first change as well as after it (`ensureProduction`). */
const importedSources = ({ tempo, key }: SingleBeat) => ({
  bpm_source: tempo > 0 ? ("producer" as const) : null,
  key_source: key !== "" ? ("producer" as const) : null,
});

/** The additional fields for the beat's producer. */
export const ownBeatFields = (beat: SingleBeat) => ({
  status: statusOf(beat),
  ...(beat.production === null ? importedSources(beat) : sourcesIn(beat.production)),
  preview_tag: beat.production?.preview_tag ?? "default",
  license_settings: licenseSettings(beat),
  free_download: beat.has_free_download,
  publish_at: beat.production?.publish_at == null ? null : timestamp(new Date(beat.production.publish_at)),
  rejection: beat.production?.rejection ?? null,
});

/** Counts by value, and the names of the genres among the values. */
export interface NamedFacets {
  counts: Facets;
  genres: ReadonlyMap<number, GenreName>;
}

/** The facets of a list. They are the same in both wire forms (docs/api/beats.md, Facets). */
export function presentFacets({ counts, genres }: NamedFacets) {
  const presentEach = <Presented>(values: FacetCount[] | undefined, present: (count: FacetCount) => Presented) =>
    values?.map((value) => ({ ...present(value), count: value.count }));
  return {
    // A genre that was deleted in the meantime has no beats.
    genre: presentEach(
      counts.genre?.filter(({ value }) => genres.has(Number(value))),
      ({ value }) => ({ value: { id: Number(value), name: genres.get(Number(value))?.name } }),
    ),
    key: presentEach(counts.key, ({ value }) => ({ value: keyName(Number(value)) })),
    // The first range begins at 0, but the lowest tempo is 1.
    bpm: presentEach(counts.bpm, ({ value, max }) => ({ value: Math.max(1, Number(value)), max })),
    price: presentEach(counts.price, ({ value, max = 0 }) => ({ value: money(Number(value)), max: money(max) })),
    tag: presentEach(counts.tag, ({ value }) => ({ value })),
  };
}
