import { foldWhole } from "@beatmarket/foundation/text/search-words.ts";
import type { SearchQuery, SearchResult } from "../../query.ts";
import type { SavedArrays } from "../engine.ts";
import type { TextParts, Texts } from "../texts.ts";
import type { SearchedTexts } from "./kinds.ts";
import { MemberSets } from "./members.ts";
import { PopularNames } from "./popular-names.ts";
import { Recordings } from "./recordings.ts";
import { Search } from "./search.ts";
import { Dictionary } from "./words/dictionary.ts";
import { Growing } from "./words/growing.ts";
import { IndexedTexts } from "./words/indexed-texts.ts";
import { Interned } from "./words/interned.ts";

/** Search of beats by title, producer, genre and tags, and of producers by name. */
export class TextIndex implements Texts {
  readonly #parts: TextParts;
  readonly #titles: IndexedTexts;
  readonly #names: IndexedTexts;
  /** Shows whether a name changed; most changes are of popularity. */
  readonly #nameHashes = new Growing();
  readonly #genres = new IndexedTexts();
  readonly #tags = new IndexedTexts();
  /** Each folded tag that any beat has had; `#tagList` has it as first written. */
  readonly #knownTags = new Interned();
  readonly #tagList: string[] = [];
  readonly #beatSets = new MemberSets();
  readonly #producerSets = new MemberSets();
  readonly #recordings: Recordings;
  readonly #popular: PopularNames;

  /** `saved`: the result of `save`, which has no genres; the caller sets them again. */
  constructor(parts: TextParts, saved?: SavedArrays) {
    this.#parts = parts;
    this.#titles = saved === undefined ? new IndexedTexts() : IndexedTexts.restore("titles", saved);
    this.#names = saved === undefined ? new IndexedTexts() : IndexedTexts.restore("names", saved);
    this.#recordings = new Recordings(this.#titles, parts.columns);
    this.#popular = new PopularNames(this.#names, parts.producers);
    if (saved === undefined) return;
    const tags = new Dictionary(saved["tags.bytes"] as Uint8Array, saved["tags.ends"] as Uint32Array);
    for (let index = 0; index < tags.size; index++) this.#addTag(tags.text(index));
    this.#tags.merge();
    this.#recordings.rebuild();
    this.#settle();
  }

  /** Adds or updates a beat whose title, tags or producer changed. The columns already have the beat. */
  setTitle(slot: number, title: string, tags: readonly string[]): void {
    if (this.#titles.isFull) this.#mergeTitles();
    this.#titles.set(slot, title);
    this.#recordings.set(slot);
    for (const tag of tags) this.#addTag(tag);
  }

  removeTitle(slot: number): void {
    this.#titles.remove(slot);
    this.#recordings.remove(slot);
  }

  /** Adds a producer, or updates the name or popularity. */
  setProducer(ordinal: number, name: string): void {
    this.#popular.changed(ordinal);
    const hash = hashOf(name);
    if (this.#nameHashes.at(ordinal) === hash) return;
    this.#nameHashes.set(ordinal, hash);
    if (this.#names.isFull) this.#names.merge();
    this.#names.set(ordinal, name);
  }

  removeProducer(ordinal: number): void {
    this.#names.remove(ordinal);
    this.#nameHashes.set(ordinal, 0);
    this.#popular.changed(ordinal);
  }

  setGenre(ordinal: number, name: string): void {
    this.#genres.set(ordinal, name);
  }

  removeGenre(ordinal: number): void {
    this.#genres.remove(ordinal);
  }

  compact(): boolean {
    const worthwhile = [this.#titles, this.#names, this.#genres, this.#tags].find((texts) => texts.isMergeWorthwhile);
    if (worthwhile === this.#titles) this.#mergeTitles();
    else worthwhile?.merge();
    this.#settle();
    return worthwhile !== undefined;
  }

  save(): SavedArrays {
    this.#mergeTitles();
    this.#names.merge();
    const written = new Interned();
    for (const tag of this.#tagList) written.add(tag);
    const tags = written.toDictionary();
    return {
      ...this.#titles.save("titles"),
      ...this.#names.save("names"),
      "tags.bytes": tags.bytes,
      "tags.ends": tags.ends,
    };
  }

  search(query: SearchQuery): SearchResult {
    this.#beatSets.begin(this.#parts.columns.capacity);
    this.#producerSets.begin(this.#parts.producers.size);
    const texts: SearchedTexts = {
      titles: this.#titles,
      names: this.#names,
      genres: this.#genres,
      tags: this.#tags,
      tagList: this.#tagList,
      beatSets: this.#beatSets,
      producerSets: this.#producerSets,
    };
    return new Search(this.#parts, texts, this.#recordings, this.#popular, query).result();
  }

  #mergeTitles(): void {
    this.#titles.merge();
    this.#recordings.rebuild();
  }

  /** Does the deferred work now, so that no search has to. */
  #settle(): void {
    for (const texts of [this.#titles, this.#names, this.#genres, this.#tags]) texts.settle();
    this.#popular.settle();
  }

  #addTag(tag: string): void {
    const tagCount = this.#knownTags.size;
    if (this.#knownTags.add(foldWhole(tag)) < tagCount) return;
    this.#tags.set(tagCount, tag);
    this.#tagList.push(tag);
  }
}

/** FNV-1a over UTF-16 code units; never 0. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0 || 1;
}
