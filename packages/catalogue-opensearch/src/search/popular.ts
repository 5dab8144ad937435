import { allowedEdits, editsWithin, unitsOf } from "@beatmarket/catalogue-index/engine/search/words/typing-errors.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Kind, NameDocument } from "../cluster/documents.ts";

const topProducers = 500;
/** Popularity changes slowly, and no result is wrong if it is a little old. */
const cacheMs = 10_000;
/**
 * The minimum length of the typed text and of the name, because shorter texts resemble too many names. `unnamed`: no
 * beat or producer has the typed name.
 */
const minLength = { named: 6, unnamed: 4 };

interface Top {
  producers: NameDocument[];
  /** The highest popularity of a beat and of a producer. */
  beat: number;
  producer: number;
}

/** The most popular producers, which a text such as "the weekend" may mean even if something else has that name. */
export class Popular {
  readonly #cluster: Cluster;
  readonly #indexOf: (kind: Kind) => string;
  #top: { value: Promise<Top>; atMs: number } | null = null;

  constructor(cluster: Cluster, indexOf: (kind: Kind) => string) {
    this.#cluster = cluster;
    this.#indexOf = indexOf;
  }

  top(): Promise<Top> {
    const nowMs = performance.now();
    if (this.#top === null || nowMs - this.#top.atMs > cacheMs) {
      const value = this.#read();
      this.#top = { value, atMs: nowMs };
      value.catch(() => {
        this.#top = null;
      });
    }
    return this.#top.value;
  }

  /**
   * The popular producers whose whole name is one or two edits from the text. `isNamed`: a beat or producer has the
   * typed name.
   */
  async near(typed: string, isNamed: boolean): Promise<NameDocument[]> {
    const shortest = isNamed ? minLength.named : minLength.unnamed;
    if (typed.length < shortest) return [];
    const [typedUnits, typedDigits] = [unitsOf(typed), digitsOf(typed)];
    const { producers } = await this.top();
    return producers.filter(({ whole }) => {
      const edits = allowedEdits(typed.length, whole.length);
      if (whole.length < shortest || Math.abs(whole.length - typed.length) > edits || digitsOf(whole) !== typedDigits)
        return false;
      return editsWithin(typedUnits, unitsOf(whole), 0, whole.length, edits) > 0;
    });
  }

  async #read(): Promise<Top> {
    const body = { sort: [{ popularity: "desc" }, { id: "desc" }], track_total_hits: false };
    const [beats, producers] = await Promise.all([
      this.#cluster.search(this.#indexOf("beats"), { ...body, size: 1, _source: false }),
      this.#cluster.search<NameDocument>(this.#indexOf("producers"), { ...body, size: topProducers }),
    ]);
    return {
      producers: producers.hits.hits.map(({ _source }) => _source),
      beat: beats.hits.hits[0]?.sort[0] ?? 0,
      producer: producers.hits.hits[0]?._source.popularity ?? 0,
    };
  }
}

/** Digits are compared exactly, since numbers are not corrected. */
const digitsOf = (text: string): string => text.replace(/[^0-9]+/g, " ");
