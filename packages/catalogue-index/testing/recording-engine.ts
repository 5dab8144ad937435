import type { BeatEntry, CatalogueChange, GenreEntry, ProducerEntry } from "../src/entry.ts";
import { PlainEngine } from "./plain-engine.ts";

/** A plain engine that exposes its input: the current rows. */
export class RecordingEngine extends PlainEngine {
  readonly rows = {
    beats: new Map<number, BeatEntry>(),
    producers: new Map<number, ProducerEntry>(),
    genres: new Map<number, GenreEntry>(),
  };
  /** How often `apply` was called. */
  applied = 0;

  override apply(change: CatalogueChange): void {
    super.apply(change);
    this.applied++;
    const { beats, producers, genres } = this.rows;
    for (const beat of change.beats) beats.set(beat.id, beat);
    for (const id of change.goneBeats) beats.delete(id);
    for (const producer of change.producers) producers.set(producer.id, producer);
    for (const id of change.goneProducers) producers.delete(id);
    for (const genre of change.genres) genres.set(genre.id, genre);
    for (const id of change.goneGenres) genres.delete(id);
  }
}
