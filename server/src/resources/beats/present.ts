import { money, timestamp } from "@beatmarket/http/formats.ts";
import { consoleMeta, referencePagination, wholeListMeta } from "@beatmarket/http/pagination.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import type { Beat } from "./beat.ts";
import { type Fields, pickFields } from "./filters/parameters.ts";
import type { BeatsPage, SimilarBeat } from "./list-beats.ts";
import type { SingleBeat } from "./production.ts";
import type { OwnBeats, ShownBeat } from "./publishing/own-beats.ts";
import {
  audioUrl,
  beatDetails,
  bpm,
  coverImage,
  isDetailed,
  ownBeatFields,
  presentFacets,
  singleBeatFields,
  time,
  url,
} from "./wire.ts";

/** Schema of `beatReference`. */
export const referenceFields = {
  id: Type.Integer(),
  title: Type.String(),
  user_id: Type.Integer({ description: "The user who produced the beat." }),
  producer_name: Type.String(),
  genre: Type.Object({ id: Type.Integer(), name: Type.String() }),
  price: Type.Number({
    description:
      "The price of the basic license, or of the next one if the basic one is not sold. At most two decimals.",
  }),
  duration: Type.Integer({ minimum: 0, description: "The duration in whole seconds; 0 if it is unknown." }),
  bpm: Type.Integer({ minimum: 1, description: "The tempo in beats per minute." }),
  key: Type.String({ description: 'The musical key, such as "C# minor"; "" if it is unknown.' }),
  audio_url: url,
  cover_image: url,
  created_at: time,
  play_count: Type.Integer({ minimum: 0 }),
  download_count: Type.Integer({ minimum: 0 }),
};

/** A beat in the reference form (docs/api/beats.md, The beat object): exactly these fields. */
export const beatReference = (beat: Beat, { publicUrl }: Pick<PresenterContext, "publicUrl">) => ({
  id: beat.id,
  title: beat.title,
  user_id: beat.user_id,
  producer_name: beat.producer_name,
  genre: { id: beat.genre_id, name: beat.genre_name },
  price: money(beat.list_price_cents),
  duration: beat.duration_seconds,
  bpm: bpm(beat),
  key: beat.key,
  audio_url: audioUrl(beat, publicUrl),
  cover_image: coverImage(beat, publicUrl),
  created_at: timestamp(beat.created_at),
  play_count: beat.play_count,
  download_count: beat.download_count,
});

const fullBeatReference = (beat: SingleBeat, context: PresenterContext) => ({
  ...beatReference(beat, context),
  ...beatDetails(beat),
  ...singleBeatFields(beat, context.publicUrl),
});

/** A beat of a list, with only the chosen fields; all if `fields` is undefined. */
export const listedReference = (beat: Beat | SingleBeat, fields: Fields, context: PresenterContext): object =>
  pickFields(isDetailed(beat) ? fullBeatReference(beat, context) : beatReference(beat, context), fields);

export const beatsReference = (page: BeatsPage, context: PresenterContext) => ({
  beats: page.items.map((beat) => listedReference(beat, page.fields, context)),
  pagination: referencePagination(page, context),
  ...(page.missing && { missing: page.missing }),
  ...(page.facets && { facets: presentFacets(page.facets) }),
});

export const beatDetailReference = (beat: SingleBeat, context: PresenterContext) => ({
  beat: fullBeatReference(beat, context),
});

/** A single beat, with the private fields where the caller is its producer. */
export const singleBeatReference = ({ beat, isOwn }: ShownBeat, context: PresenterContext) => ({
  beat: {
    ...fullBeatReference(beat, context),
    ...(isOwn && ownBeatFields(beat)),
  },
});

export const ownBeatsReference = (page: OwnBeats, context: PresenterContext) => ({
  beats: page.items.map((beat) => singleBeatReference({ beat, isOwn: true }, context).beat),
  pagination: referencePagination(page, context),
});

export const similarReference = (similar: SimilarBeat[], context: PresenterContext) => ({
  beats: similar.map(({ beat, similarity }) => ({ ...beatReference(beat, context), similarity })),
});

/** Schema of `beatConsole`. Search uses it too. */
export const consoleBeatFields = {
  id: Type.Integer(),
  title: Type.String(),
  producer: Type.String({ description: "The producer's name." }),
  price: Type.Number(),
  genre: Type.Object({ id: Type.Integer(), name: Type.String(), slug: Type.String() }),
  bpm: Type.Integer({ minimum: 1 }),
  key: Type.String(),
  length: Type.String({
    pattern: "^\\d+:[0-5]\\d$",
    description: "The duration as minutes:seconds. The minutes can be more than 59.",
  }),
  cover_image: url,
  audio_preview: url,
  created_at: time,
};

/** A beat in the console form (docs/api/beats.md, The beat object): exactly these fields. */
const beatConsole = (beat: Beat, { publicUrl }: PresenterContext) => ({
  id: beat.id,
  title: beat.title,
  producer: beat.producer_name,
  price: money(beat.list_price_cents),
  genre: { id: beat.genre_id, name: beat.genre_name, slug: beat.genre_slug },
  bpm: bpm(beat),
  key: beat.key,
  length: minutesAndSeconds(beat.duration_seconds),
  cover_image: coverImage(beat, publicUrl),
  audio_preview: audioUrl(beat, publicUrl),
  created_at: timestamp(beat.created_at),
});

const fullBeatConsole = (beat: SingleBeat, context: PresenterContext) => ({
  ...beatConsole(beat, context),
  ...beatDetails(beat),
  ...singleBeatFields(beat, context.publicUrl),
});

/** A beat of a list, with only the chosen fields; all if `fields` is undefined. */
export const listedConsole = (beat: Beat | SingleBeat, fields: Fields, context: PresenterContext): object =>
  pickFields(isDetailed(beat) ? fullBeatConsole(beat, context) : beatConsole(beat, context), fields);

export const beatsConsole = (page: BeatsPage, context: PresenterContext) => ({
  data: page.items.map((beat) => listedConsole(beat, page.fields, context)),
  meta: {
    ...consoleMeta(page),
    ...(page.missing && { missing: page.missing }),
    ...(page.facets && { facets: presentFacets(page.facets) }),
  },
});

export const beatDetailConsole = (beat: SingleBeat, context: PresenterContext) => ({
  data: fullBeatConsole(beat, context),
});

export const singleBeatConsole = ({ beat, isOwn }: ShownBeat, context: PresenterContext) => ({
  data: {
    ...fullBeatConsole(beat, context),
    ...(isOwn && ownBeatFields(beat)),
  },
});

export const ownBeatsConsole = (page: OwnBeats, context: PresenterContext) => ({
  data: page.items.map((beat) => singleBeatConsole({ beat, isOwn: true }, context).data),
  meta: consoleMeta(page),
});

export const similarConsole = (similar: SimilarBeat[], context: PresenterContext) => ({
  data: similar.map(({ beat, similarity }) => ({ ...beatConsole(beat, context), similarity })),
  meta: wholeListMeta(similar),
});

/** `m:ss`. Minutes may exceed 59. */
const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
