// What the index knows of the catalogue's rows.

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
  /** Of the first license that is sold. */
  priceCents: number;
  /** 0 if unknown. */
  durationSeconds: number;
  /** Since 1970, as PostgreSQL stores it. */
  createdAtMicroseconds: number;
  /** Orders by plays, then by imported popularity. */
  popularityKey: number;
  /** A bit for each of the marketplace's kinds of license that can be bought: none while the exclusive one is held. */
  availableLicenses: number;
}

export interface ProducerEntry {
  id: number;
  name: string;
  /** Of all beats together. */
  popularityKey: number;
}

export interface GenreEntry {
  id: number;
  name: string;
}

/** What changed, each by its state at one moment. */
export interface CatalogueChange {
  beats: readonly BeatEntry[];
  /** Ids of beats that are not listed any more. */
  goneBeats: readonly number[];
  producers: readonly ProducerEntry[];
  /** Ids of users who are no producers any more. */
  goneProducers: readonly number[];
  genres: readonly GenreEntry[];
  /** Ids of genres that are gone. */
  goneGenres: readonly number[];
}
