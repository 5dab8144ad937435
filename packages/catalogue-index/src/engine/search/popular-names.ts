import { best } from "../list/best.ts";
import type { TextParts } from "../texts.ts";
import type { IndexedTexts } from "./words/indexed-texts.ts";
import { allowedEdits, editsWithin, unitsOf } from "./words/typing-errors.ts";

const maxPopular = 500;
/**
 * The shortest text that is compared: shorter ones resemble too many names. The limit is lower for a text that is not
 * the name of any beat or producer.
 */
const minLength = { ifNamed: 6, ifUnnamed: 4 };
const mostEdits = 2;

interface PopularName {
  ordinal: number;
  whole: string;
  units: Uint16Array;
  digits: string;
}

/** The most popular producers, who may be meant even if the typed text exactly names something else: "the weekend". */
export class PopularNames {
  readonly #names: IndexedTexts;
  readonly #producers: TextParts["producers"];
  #changes = 0;
  /** By length, in the order of popularity. */
  #popular: Map<number, PopularName[]> | undefined;
  #maxKey = 0;

  constructor(names: IndexedTexts, producers: TextParts["producers"]) {
    this.#names = names;
    this.#producers = producers;
  }

  /** The highest popularity of a producer. */
  get maxKey(): number {
    this.#all();
    return this.#maxKey;
  }

  /** Call it after a name or a popularity changed. The list is rebuilt after changes to one in a hundred producers. */
  changed(ordinal: number): void {
    this.#maxKey = Math.max(this.#maxKey, this.#producers.popularityKey[ordinal] as number);
    if (++this.#changes > this.#producers.size / 100) this.#popular = undefined;
  }

  /** Rebuilds the list if necessary. */
  settle(): void {
    this.#all();
  }

  /**
   * Returns the popular producers whose whole name is one or two edits from the whole text. `isNamed`: a beat or
   * producer has the typed name.
   */
  near(typed: string, isNamed: boolean): number[] {
    const minimum = isNamed ? minLength.ifNamed : minLength.ifUnnamed;
    if (typed.length < minimum) return [];
    const typedUnits = unitsOf(typed);
    const near: PopularName[] = [];
    for (let length = Math.max(minimum, typed.length - mostEdits); length <= typed.length + mostEdits; length++) {
      const most = allowedEdits(typed.length, length);
      if (Math.abs(length - typed.length) > most) continue;
      for (const name of this.#all().get(length) ?? [])
        if (editsWithin(typedUnits, name.units, 0, length, most) > 0) near.push(name);
    }
    return near
      .filter(({ ordinal, whole, digits }) => digits === digitsOf(typed) && this.#names.wholeOf(ordinal) === whole)
      .map(({ ordinal }) => ordinal);
  }

  #all(): ReadonlyMap<number, readonly PopularName[]> {
    if (this.#popular !== undefined) return this.#popular;
    const { popularityKey, present, size } = this.#producers;
    const ordinals = function* () {
      for (let ordinal = 0; ordinal < size; ordinal++) if (present.has(ordinal)) yield ordinal;
    };
    const top = best(ordinals(), maxPopular, (a, b) => (popularityKey[b] as number) - (popularityKey[a] as number));
    const names = top.flatMap((ordinal) => {
      const whole = this.#names.wholeOf(ordinal);
      return whole === undefined ? [] : [{ ordinal, whole, units: unitsOf(whole), digits: digitsOf(whole) }];
    });
    this.#popular = Map.groupBy(names, ({ units }) => units.length);
    this.#maxKey = Math.max(0, ...top.slice(0, 1).map((ordinal) => popularityKey[ordinal] as number));
    this.#changes = 0;
    return this.#popular;
  }
}

/** Digits are compared exactly, since numbers are not corrected. */
const digitsOf = (text: string): string => text.replace(/[^0-9]+/g, " ");
