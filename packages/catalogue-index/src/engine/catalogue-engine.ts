import type { CatalogueChange } from "../entry.ts";
import type { ListQuery, ListResult, SearchQuery, SearchResult, SimilarHit, SimilarQuery } from "../query.ts";
import { Beats, type Thresholds } from "./beats.ts";
import type { Engine, SavedArrays } from "./engine.ts";
import { facetsOf } from "./list/facets.ts";
import { Filters } from "./list/filters.ts";
import { pageAt, pageOf, pageOfSlots } from "./list/pages.ts";
import { sorts } from "./list/sorts.ts";
import { similarBeats } from "./similar/similar-beats.ts";
import type { TextParts, Texts } from "./texts.ts";

export class CatalogueEngine implements Engine {
  readonly #beats: Beats;
  readonly #filters: Filters;
  readonly #texts: Texts;
  readonly #genreNames: string[];

  constructor(
    openTexts: (parts: TextParts, saved?: SavedArrays) => Texts,
    saved?: SavedArrays,
    thresholds?: Thresholds,
  ) {
    this.#beats = new Beats(saved, thresholds);
    this.#filters = new Filters(this.#beats);
    this.#texts = openTexts(this.#textParts(), saved && unprefixed(saved));
    this.#genreNames = saved === undefined ? [] : JSON.parse(new TextDecoder().decode(saved["genres.names"]));
    for (const [ordinal, name] of this.#genreNames.entries())
      if (this.#beats.genres.present.has(ordinal)) this.#texts.setGenre(ordinal, name);
  }

  get beats(): number {
    return this.#beats.columns.beats;
  }

  producerOf(beatId: number): number | undefined {
    const { columns, producers } = this.#beats;
    const slot = columns.slotOf(beatId);
    return slot !== -1 && columns.listed.has(slot) ? producers.idOf(columns.producer[slot] as number) : undefined;
  }

  apply(change: CatalogueChange): void {
    const { producers, genres } = this.#beats;
    for (const { id, name } of change.genres) {
      const ordinal = genres.ordinalFor(id);
      if (genres.present.has(ordinal) && this.#genreNames[ordinal] === name) continue;
      genres.present.add(ordinal);
      this.#genreNames[ordinal] = name;
      this.#texts.setGenre(ordinal, name);
    }
    for (const { id, name, popularityKey } of change.producers) {
      const ordinal = producers.ordinalFor(id);
      producers.popularityKey[ordinal] = popularityKey;
      producers.present.add(ordinal);
      this.#texts.setProducer(ordinal, name);
    }
    for (const beat of change.beats) {
      const slot = this.#beats.set(beat);
      if (slot !== -1) this.#texts.setTitle(slot, beat.title, beat.tags);
    }
    for (const id of change.goneBeats) {
      const slot = this.#beats.remove(id);
      if (slot !== -1) this.#texts.removeTitle(slot);
    }
    for (const id of change.goneProducers) {
      const ordinal = producers.ordinalOf(id);
      if (ordinal === -1 || !producers.present.has(ordinal)) continue;
      producers.present.delete(ordinal);
      this.#texts.removeProducer(ordinal);
    }
    for (const id of change.goneGenres) {
      const ordinal = genres.ordinalOf(id);
      if (ordinal === -1 || !genres.present.has(ordinal)) continue;
      genres.present.delete(ordinal);
      this.#texts.removeGenre(ordinal);
    }
  }

  compact(): boolean {
    return this.#beats.compact() || this.#texts.compact();
  }

  list({ filters, sort, offset, limit, seek, facets }: ListQuery): ListResult {
    this.#begin();
    const { columns, orders } = this.#beats;
    const filtered = this.#filters.evaluate(filters);
    const matches = this.#filters.match(filtered, undefined, facets !== undefined);
    const { total } = matches;
    const { column, isDescending } = sorts[sort];
    const ownFilter = column === "popularityKey" ? undefined : filtered.get(column);
    const slots = pageOf(matches, orders[column], ownFilter, isDescending, seek ?? offset, limit + 1);
    return {
      ids: slots.map((slot) => columns.id[slot] as number),
      keys: slots.map((slot) => columns[column][slot] as number),
      total,
      ...(facets && { facets: facetsOf(this.#beats, this.#filters, filtered, facets) }),
    };
  }

  search(query: SearchQuery): SearchResult {
    this.#begin();
    return this.#texts.search(query);
  }

  similar(query: SimilarQuery): SimilarHit[] {
    this.#begin();
    return similarBeats(this.#beats, query);
  }

  save(): SavedArrays {
    const texts = Object.entries(this.#texts.save()).map(([name, array]) => [textPrefix + name, array]);
    return {
      ...this.#beats.save(),
      "genres.names": new TextEncoder().encode(JSON.stringify(Array.from(this.#genreNames, (name) => name ?? ""))),
      ...Object.fromEntries(texts),
    };
  }

  #begin(): void {
    this.#beats.settle();
    this.#filters.begin();
  }

  #genresOf(producer: number): number[] {
    const { byProducer, columns, genres } = this.#beats;
    const counts = new Map<number, number>();
    byProducer.forEach(producer, (slot) => {
      const genre = columns.genre[slot] as number;
      counts.set(genre, (counts.get(genre) ?? 0) + 1);
    });
    return Array.from(counts, ([genre, count]) => ({
      id: genres.idOf(genre),
      name: this.#genreNames[genre] ?? "",
      count,
    }))
      .sort((a, b) => b.count - a.count || compareTexts(a.name, b.name) || a.id - b.id)
      .map(({ id }) => id);
  }

  #textParts(): TextParts {
    const { columns, orders, producers, genres, byProducer, byGenre } = this.#beats;
    return {
      columns,
      producers,
      genres,
      byProducer,
      byGenre,
      genresOf: (producer) => this.#genresOf(producer),
      matching: (filters) => this.#filters.combine(this.#filters.evaluate(filters)),
      page: (matches, sort, skip, limit) => {
        const { column, isDescending } = sorts[sort];
        const order = orders[column];
        if (matches === null) return pageAt({ order, matches, total: columns.beats }, isDescending, skip, limit);
        const { list, bitmap, count } = matches;
        if (list !== null) return pageOfSlots(order, list, isDescending, skip, limit);
        return pageAt({ order, matches: bitmap, total: count }, isDescending, skip, limit);
      },
      facets: (filters, matches, copiesIn, names) =>
        facetsOf(this.#beats, this.#filters, this.#filters.evaluate(filters), names, { found: matches, copiesIn }),
    };
  }
}

/** Compares by code units. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Prefix of the names under which the text index saves its arrays. */
const textPrefix = "texts.";

const unprefixed = (saved: SavedArrays): SavedArrays =>
  Object.fromEntries(
    Object.entries(saved).flatMap(([name, array]) =>
      name.startsWith(textPrefix) ? [[name.slice(textPrefix.length), array]] : [],
    ),
  );
