import { best } from "../list/best.ts";
import type { TextParts } from "../texts.ts";
import type { IndexedTexts } from "./words/indexed-texts.ts";
import { allowedEdits, editsWithin, unitsOf } from "./words/typing-errors.ts";

const most = 500;
/** Shorter names have too many like them, unless nothing is named as typed. */
const shortest = { beside: 6, instead: 4 };

interface PopularName {
  ordinal: number;
  whole: string;
  units: Uint16Array;
  digits: string;
}

/** The most popular producers, who are meant although what was typed names something else: "the weekend". */
export class PopularNames {
  readonly #names: IndexedTexts;
  readonly #producers: TextParts["producers"];
  #changes = 0;
  #popular: PopularName[] | undefined;
  #maxKey = 0;

  constructor(names: IndexedTexts, producers: TextParts["producers"]) {
    this.#names = names;
    this.#producers = producers;
  }

  /** The greatest popularity of a producer. */
  get maxKey(): number {
    this.#all();
    return this.#maxKey;
  }

  /** After a name or a popularity changed. The list is made again when one in a hundred has. */
  changed(ordinal: number): void {
    this.#maxKey = Math.max(this.#maxKey, this.#producers.popularityKey[ordinal] as number);
    if (++this.#changes > this.#producers.size / 100) this.#popular = undefined;
  }

  /** Makes the list again if it must be. */
  settle(): void {
    this.#all();
  }

  /** Whose whole name is an edit or two away from the whole text. `isNamed`: something else is named as typed. */
  near(typed: string, isNamed: boolean): number[] {
    const least = isNamed ? shortest.beside : shortest.instead;
    if (typed.length < least) return [];
    const [typedUnits, typedDigits] = [unitsOf(typed), digitsOf(typed)];
    return this.#all()
      .filter(({ ordinal, whole, units, digits }) => {
        const most = allowedEdits(typed.length, whole.length);
        if (whole.length < least || Math.abs(whole.length - typed.length) > most || digits !== typedDigits)
          return false;
        return editsWithin(typedUnits, units, 0, units.length, most) > 0 && this.#names.wholeOf(ordinal) === whole;
      })
      .map(({ ordinal }) => ordinal);
  }

  #all(): readonly PopularName[] {
    if (this.#popular !== undefined) return this.#popular;
    const { popularityKey, present, size } = this.#producers;
    const ordinals = function* () {
      for (let ordinal = 0; ordinal < size; ordinal++) if (present.has(ordinal)) yield ordinal;
    };
    const top = best(ordinals(), most, (a, b) => (popularityKey[b] as number) - (popularityKey[a] as number));
    this.#popular = top.flatMap((ordinal) => {
      const whole = this.#names.wholeOf(ordinal);
      return whole === undefined ? [] : [{ ordinal, whole, units: unitsOf(whole), digits: digitsOf(whole) }];
    });
    this.#maxKey = Math.max(0, ...top.slice(0, 1).map((ordinal) => popularityKey[ordinal] as number));
    this.#changes = 0;
    return this.#popular;
  }
}

/** Numbers are never mistyped. */
const digitsOf = (text: string): string => text.replace(/[^0-9]+/g, " ");
