import { money, timestamp } from "../../http/formats.ts";
import { referencePagination } from "../../http/pagination.ts";
import type { PresenterContext } from "../../http/pipeline/api-route.ts";
import type { Page } from "../../listing/page.ts";
import type { Beat, BeatDetail } from "./beat.ts";
import { licensesOf } from "./licensing/licenses.ts";
import type { SimilarBeat } from "./similar/similar-queries.ts";
import { audioUrl, bpm, coverImage } from "./wire.ts";

/** Contract 2.1: exactly these fields. */
export const beatReference = (beat: Beat, { publicUrl }: Pick<PresenterContext, "publicUrl">) => ({
  id: beat.id,
  title: beat.title,
  user_id: beat.user_id,
  producer_name: beat.producer_name,
  genre: { id: beat.genre_id, name: beat.genre_name },
  price: money(beat.price_cents),
  duration: beat.duration_seconds,
  bpm: bpm(beat),
  key: beat.key,
  audio_url: audioUrl(beat, publicUrl),
  cover_image: coverImage(beat, publicUrl),
  created_at: timestamp(beat.created_at),
  play_count: beat.play_count,
  download_count: beat.download_count,
});

export const beatsReference = (page: Page<Beat>, context: PresenterContext) => ({
  beats: page.items.map((beat) => beatReference(beat, context)),
  pagination: referencePagination(page, context),
});

export const beatDetailReference = (beat: BeatDetail, context: PresenterContext) => ({
  beat: {
    ...beatReference(beat, context),
    description: beat.description,
    tags: beat.tags,
    licenses: licensesOf(beat),
    updated_at: timestamp(beat.updated_at),
  },
});

export const similarReference = (similar: SimilarBeat[], context: PresenterContext) => ({
  beats: similar.map(({ beat, similarity }) => ({ ...beatReference(beat, context), similarity })),
});
