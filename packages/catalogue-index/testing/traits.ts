import type { Traits } from "../src/engine/similar/similarity.ts";
import type { BeatEntry } from "../src/entry.ts";

/** Returns the fields of a beat that a query for similar beats contains. */
export const traitsOf = (beat: BeatEntry): Traits & { title: string } => ({
  id: beat.id,
  user_id: beat.producerId,
  genre_id: beat.genreId,
  key_code: beat.keyCode,
  tempo: beat.tempo,
  popularity_key: beat.popularityKey,
  duration_seconds: beat.durationSeconds,
  title: beat.title,
});
