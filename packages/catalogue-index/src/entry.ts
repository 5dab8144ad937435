// The rows of the catalogue as the index stores them.

/** A listed beat. */
export interface BeatEntry {
  id: number;
  title: string;
  tags: readonly string[];
  producerId: number;
  genreId: number;
  /** Beats per minute, unrounded. */
  tempo: number;
  /** 0-11 major from C by fifths, 12-23 minor from A, 24 unknown (music/musical-key.ts). */
  keyCode: number;
  /** Price of the first license that is sold. */
  priceCents: number;
  /** 0 if unknown. */
  durationSeconds: number;
  /** Microseconds since 1970, as PostgreSQL stores them. */
  createdAtMicroseconds: number;
  /** Orders by plays, then by imported popularity. */
  popularityKey: number;
  /**
   * One bit for each kind of license that can be bought now: 0 while the beat is held, that is, its exclusive license
   * is being paid for.
   */
  availableLicenses: number;
}

export interface ProducerEntry {
  id: number;
  name: string;
  /** Of all the producer's beats together. */
  popularityKey: number;
}

export interface GenreEntry {
  id: number;
  name: string;
}

/** The changed rows, all as of one moment. */
export interface CatalogueChange {
  beats: readonly BeatEntry[];
  /** Ids of beats that are no longer listed. */
  goneBeats: readonly number[];
  producers: readonly ProducerEntry[];
  /** Ids of users who are no longer producers. */
  goneProducers: readonly number[];
  genres: readonly GenreEntry[];
  /** Ids of genres that are gone. */
  goneGenres: readonly number[];
}

export const noChange: CatalogueChange = {
  beats: [],
  goneBeats: [],
  producers: [],
  goneProducers: [],
  genres: [],
  goneGenres: [],
};
