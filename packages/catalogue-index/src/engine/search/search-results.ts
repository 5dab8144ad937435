import type { FacetName, Facets, Interpretation, SearchQuery, SearchResult } from "../../query.ts";
import type { Bitmap } from "../columns/bitmap.ts";
import { best } from "../list/best.ts";
import type { TextParts } from "../texts.ts";
import type { NamedTraits } from "./interpretation.ts";
import type { BeatKind, ProducerKind, SearchedTexts } from "./kinds.ts";
import { hasAny, Members } from "./members.ts";
import type { PopularNames } from "./popular-names.ts";
import { type Level, type Ranked, rankOf } from "./ranked.ts";
import type { Reading, RequiredWord } from "./reading.ts";
import type { Recordings } from "./recordings.ts";

/** How a text was interpreted, and the matches of that interpretation. */
export interface Outcome<Matches = Ranked> {
  beats?: Matches | undefined;
  producers?: Matches | undefined;
  reading: Reading;
  traits?: NamedTraits | undefined;
  ignored?: string[] | undefined;
}

interface RankedHit {
  kind: "beat" | "producer";
  id: number;
  /** The slot of a beat, or the ordinal of a producer. */
  member: number;
  rank: number;
  /** Popularity within the kind, 0 to 1, so that beats and producers are comparable. */
  popularity: number;
}

interface ResultParts {
  parts: TextParts;
  texts: SearchedTexts;
  popular: PopularNames;
  recordings: Recordings;
  query: SearchQuery;
  beats: BeatKind;
  producers: ProducerKind;
}

const isFoundByCorrection = ({ rank }: RankedHit): boolean => rank >= rankOf(1, 0);

/** A page of the search's matches, with the interpretation of the text. */
export class SearchResults {
  readonly #parts: TextParts;
  readonly #texts: SearchedTexts;
  readonly #popular: PopularNames;
  readonly #recordings: Recordings;
  readonly #query: SearchQuery;
  readonly #beats: BeatKind;
  readonly #producers: ProducerKind;

  constructor({ parts, texts, popular, recordings, query, beats, producers }: ResultParts) {
    this.#parts = parts;
    this.#texts = texts;
    this.#popular = popular;
    this.#recordings = recordings;
    this.#query = query;
    this.#beats = beats;
    this.#producers = producers;
  }

  of(outcome: Outcome): SearchResult {
    const { kinds, facets } = this.#query;
    const { beats, producers } = outcome;
    const hits = [
      ...(kinds.includes("beats") && beats ? this.#pageOfBeats(beats) : []),
      ...(kinds.includes("producers") && producers ? this.#pageOfProducers(producers) : []),
    ];
    if (this.#query.sort === undefined) hits.sort(bestFirst);
    const interpretation = this.#interpretation(outcome, hits[0]);
    return {
      hits: hits.map(({ kind, id, member }) =>
        kind === "beat" ? { kind, id } : { kind, id, genres: this.#parts.genresOf(member) },
      ),
      totals: { beats: beats?.total ?? 0, producers: producers?.total ?? 0 },
      ...(interpretation && { interpretation }),
      ...(facets && beats && { facets: this.#facets(beats, facets) }),
    };
  }

  #facets(beats: Ranked, names: readonly FacetName[]): Facets {
    const bitmap = this.#beats.sets.bitmapOf(beats.unfiltered());
    const copiesIn = (some: Bitmap) => this.#recordings.copiesIn(Members.ofBitmap(some)).slots();
    return this.#parts.facets(this.#query.filters, bitmap, copiesIn, names);
  }

  #pageOfBeats(beats: Ranked): RankedHit[] {
    const { columns, page } = this.#parts;
    const { limit, sort } = this.#query;
    const [top] = page(null, "popular", 0, 1);
    const scale = Math.log(2 + (top === undefined ? 0 : (columns.popularityKey[top] as number)));
    const hit = (member: number, rank: number): RankedHit => ({
      kind: "beat",
      id: columns.id[member] as number,
      member,
      rank,
      popularity: Math.log(1 + (columns.popularityKey[member] as number)) / scale,
    });
    if (sort !== undefined) return page(beats.found, sort, this.#query.offset, limit).map((slot) => hit(slot, 0));
    return this.#pageOf(beats.levels(), (set, skip, most) => page(set, "popular", skip, most), hit);
  }

  #pageOfProducers(producers: Ranked): RankedHit[] {
    const { producers: table } = this.#parts;
    const { popularityKey } = table;
    const scale = Math.log(2 + this.#popular.maxKey);
    const first = (a: number, b: number) =>
      (popularityKey[b] as number) - (popularityKey[a] as number) || table.idOf(b) - table.idOf(a);
    return this.#pageOf(
      producers.levels(),
      (set, skip, most) => best(set.slots(), skip + most, first).slice(skip),
      (member, rank) => ({
        kind: "producer",
        id: table.idOf(member),
        member,
        rank,
        popularity: Math.log(1 + (popularityKey[member] as number)) / scale,
      }),
    );
  }

  #pageOf(
    levels: Iterable<Level>,
    page: (set: Members, skip: number, limit: number) => number[],
    hit: (member: number, rank: number) => RankedHit,
  ): RankedHit[] {
    const hits: RankedHit[] = [];
    let skip = this.#query.offset;
    for (const { rank, set } of levels) {
      const missing = this.#query.limit - hits.length;
      if (skip < set.count) for (const member of page(set, skip, missing)) hits.push(hit(member, rank));
      if (hits.length === this.#query.limit) break;
      skip = Math.max(0, skip - set.count);
    }
    return hits;
  }

  /** Returns how the text was interpreted, if not literally. */
  #interpretation(outcome: Outcome, first: RankedHit | undefined): Interpretation | undefined {
    const { reading, traits, ignored } = outcome;
    const corrected: Record<string, string> = {};
    if (first !== undefined && isFoundByCorrection(first))
      for (const word of reading.words) {
        const correction = this.#correctionIn(word, first);
        if (correction !== undefined) corrected[word.typed.text] = correction;
      }
    const isCorrected = Object.keys(corrected).length > 0;
    if (traits === undefined && ignored === undefined && !isCorrected) return undefined;
    let text = traits?.rest ?? this.#query.text.trim();
    if (isCorrected || ignored !== undefined)
      text = reading.words.map(({ typed }) => corrected[typed.text] ?? typed.text).join(" ");
    return {
      text,
      ...(traits?.bpm && { bpm: traits.bpm }),
      ...(traits?.keys && { keys: traits.keys }),
      ...(traits?.priceCents && { priceCents: traits.priceCents }),
      ...(traits?.widened && { widened: traits.widened }),
      ...(isCorrected && { corrected }),
      ...(ignored && { ignored }),
    };
  }

  /** Returns the correction by which a hit was found; undefined if the hit has the word as typed. */
  #correctionIn(word: RequiredWord, { kind, member }: RankedHit): string | undefined {
    if (word.corrections.length === 0) return undefined;
    const searched = kind === "beat" ? this.#beats : this.#producers;
    if (hasAny(searched.anywhere(word, 0), member)) return undefined;
    const { titles, names, genres } = this.#texts;
    const { producer, genre } = this.#parts.columns;
    const has = (correction: string) =>
      kind === "producer"
        ? names.hasWord(correction, (ordinal) => ordinal === member)
        : titles.hasWord(correction, (slot) => slot === member) ||
          names.hasWord(correction, (ordinal) => ordinal === producer[member]) ||
          genres.hasWord(correction, (ordinal) => ordinal === genre[member]);
    return (word.corrections.find((correction) => has(correction.word)) ?? word.corrections[0])?.word;
  }
}

/** At equal rank and popularity producers come before beats, then newer ones first. */
const bestFirst = (a: RankedHit, b: RankedHit): number =>
  a.rank - b.rank ||
  b.popularity - a.popularity ||
  Number(a.kind === "beat") - Number(b.kind === "beat") ||
  b.id - a.id;
