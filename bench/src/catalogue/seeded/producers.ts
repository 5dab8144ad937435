import { producerLaw, producerWordCounts } from "./measured.ts";
import { seededRandom } from "./random.ts";
import { drawFrom, type Random } from "./sampling.ts";
import { drawWord } from "./vocabulary.ts";

/** Names consist of rare words: those above this cumulative share of the word distribution. */
const rareFrom = 0.45;
const wordCount = drawFrom(producerWordCounts);

/** Assigns a producer to each beat. Producer sizes follow the distribution of measured.ts for any number of beats. */
export class Producers {
  readonly #random: Random;
  readonly #names = new NamesInOrder();
  /** The producer of each beat so far. */
  readonly #producerByBeat: number[] = [];
  /** The number of beats of each producer. */
  readonly #beats: number[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  next(): string {
    const producer = this.#draw();
    this.#producerByBeat.push(producer);
    this.#beats[producer] = (this.#beats[producer] ?? 0) + 1;
    return this.#names.at(producer);
  }

  #draw(): number {
    const { concentration, discount } = producerLaw;
    const producerCount = this.#beats.length;
    const total = this.#producerByBeat.length;
    if (this.#random() * (concentration + total) < concentration + discount * producerCount) return producerCount;
    for (;;) {
      // A random earlier beat selects its producer in proportion to the producer's beats.
      const producer = this.#producerByBeat[Math.floor(this.#random() * total)] ?? 0;
      const beats = this.#beats[producer] ?? 1;
      if (this.#random() * beats < beats - discount) return producer;
    }
  }
}

/**
 * The n-th producer has the same name in every catalogue, so a second catalogue adds beats to the producers of the
 * first.
 */
class NamesInOrder {
  readonly #random = seededRandom(20_261_122);
  readonly #names: string[] = [];
  readonly #usedNames = new Set<string>();

  at(producer: number): string {
    while (this.#names.length <= producer) this.#names.push(this.#newName());
    return this.#names[producer] ?? "";
  }

  #newName(): string {
    const words = Array.from({ length: 1 + wordCount(this.#random) }, () => this.#word());
    // The importer identifies producers by name, ignoring case.
    while (this.#usedNames.has(words.join(" "))) words.push(this.#word());
    const name = words.join(" ");
    this.#usedNames.add(name);
    return name;
  }

  #word(): string {
    const word = drawWord(this.#random, rareFrom);
    return word.charAt(0).toUpperCase() + word.slice(1);
  }
}
