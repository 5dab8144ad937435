import { hash } from "node:crypto";
import { timestamp } from "@beatmarket/http/formats.ts";

// The content of the leaves of the license log (docs/license-log.md, Leaves). Pure.

const leafKinds = ["sold", "refunded", "reinstated", "returned", "taken_down", "restored", "lost"] as const;
export type LeafKind = (typeof leafKinds)[number];

/** A published leaf. */
export interface Leaf {
  v: 1;
  kind: LeafKind;
  /** The time at which the fact was logged; never before the time of an earlier leaf. */
  time: string;
  /** Absent in `lost`. */
  beat?: number;
  /** In `sold`, `refunded` and `reinstated`: whether the license is exclusive. */
  exclusive?: boolean;
  /** In `sold`: the time at which the order was placed. */
  placed?: string;
  /** In `sold`: SHA-256 of the salt and the opening, in lower-case hex. */
  commitment?: string;
  /** In `refunded` and `reinstated`: the index of the sale's leaf. Null if the sale has no leaf. */
  of?: number | null;
  /** In `lost`: the lost leaves, from `from` up to but not including `to`. */
  from?: number;
  to?: number;
}

/** The facts of a sale. The license's holder shows them with the salt to prove which leaf belongs to the license. */
export interface Sale {
  beatId: number;
  type: string;
  termsSha256: string;
  purchasedAt: Date;
}

/** The text of a sale. The leaf has a commitment to this text, and not the text. */
export const openingOf = ({ beatId, type, termsSha256, purchasedAt }: Sale): string =>
  JSON.stringify({ beat: beatId, type, terms_sha256: termsSha256, purchased_at: timestamp(purchasedAt) });

export const commitmentOf = (opening: string, salt: Uint8Array): string =>
  hash("sha256", Buffer.concat([salt, Buffer.from(opening)]));

export const encodeLeaf = (leaf: Leaf): Buffer => Buffer.from(JSON.stringify(leaf));

/** Parses a leaf. Null for a text that is not a valid leaf of this version. */
export function decodeLeaf(entry: Buffer): Leaf | null {
  try {
    const leaf = JSON.parse(entry.toString()) as Leaf;
    const isKnown = leaf?.v === 1 && leafKinds.includes(leaf.kind) && !Number.isNaN(Date.parse(leaf.time));
    return isKnown ? leaf : null;
  } catch {
    return null;
  }
}

// The rules for the leaves of the license log (docs/license-log.md, Rules). Pure.

/** The maximum duration of a payment. An order that is older when it is logged was backdated. */
const maxPendingMs = 14 * 86_400_000;

interface ExclusiveFact {
  index: number;
  beat: number;
  /** The time of the sale of the exclusive license; null: it is for sale again. */
  soldAt: string | null;
}

/** Checks the leaves of a log, in order. */
export class LogRules {
  sold = 0;
  /** The number of leaves that the shop's database has lost. */
  lost = 0;
  #latestTime = "";
  #facts: ExclusiveFact[] = [];
  #exclusives = new Map<number, string | null>();

  /** The problems of the next leaf as sentences. `leaf` is null for an unreadable one. */
  checkLeaf(index: number, leaf: Leaf | null): string[] {
    if (leaf === null) return [`Leaf ${index} is not of a kind and version that this program knows.`];
    const problems =
      leaf.time < this.#latestTime ? [`Leaf ${index} of ${leaf.time} is dated before the leaf in front of it.`] : [];
    if (leaf.time > this.#latestTime) this.#latestTime = leaf.time;
    return [...problems, ...this.#checkFact(index, leaf)];
  }

  #checkFact(index: number, leaf: Leaf): string[] {
    const { kind, beat = -1 } = leaf;
    if (kind === "sold") return this.#checkSale(index, leaf);
    if (kind === "lost") return this.#checkLost(index, leaf);
    if (kind === "returned") this.#recordExclusive({ index, beat, soldAt: null });
    if (kind !== "reinstated" || leaf.exclusive !== true) return [];
    const problems = this.#isSold(beat)
      ? [`Leaf ${index} gives back the exclusive license of beat ${beat}, which is sold.`]
      : [];
    this.#recordExclusive({ index, beat, soldAt: leaf.time });
    return problems;
  }

  #checkSale(index: number, { beat = -1, exclusive, placed = "", time }: Leaf): string[] {
    this.sold++;
    const problems: string[] = [];
    const soldAt = this.#exclusives.get(beat) ?? null;
    const age = Date.parse(time) - Date.parse(placed);
    if (!(age >= -1_000 && age <= maxPendingMs))
      problems.push(`Leaf ${index} of ${time} is of an order that was placed at ${placed || "no time"}.`);
    if (soldAt !== null && exclusive === true)
      problems.push(`Leaf ${index} sells the exclusive license of beat ${beat} again, which was sold at ${soldAt}.`);
    else if (soldAt !== null && placed > soldAt)
      problems.push(
        `Leaf ${index} is of an order of beat ${beat} placed after its exclusive license was sold at ${soldAt}.`,
      );
    if (exclusive === true) this.#recordExclusive({ index, beat, soldAt: time });
    return problems;
  }

  /**
   * Ignores the lost leaves from now on: the shop may sell licenses again whose sale its database has lost. The report
   * has the number of lost leaves.
   */
  #checkLost(index: number, { from = -1, to = -1 }: Leaf): string[] {
    if (to !== index || from < 0 || from >= to)
      return [`Leaf ${index} says that leaves were lost, but not which ones.`];
    this.lost += to - from;
    const earlierFacts = this.#facts.filter((fact) => fact.index < from);
    this.#facts = [];
    this.#exclusives = new Map();
    for (const fact of earlierFacts) this.#recordExclusive(fact);
    return [];
  }

  #isSold = (beat: number): boolean => (this.#exclusives.get(beat) ?? null) !== null;

  #recordExclusive(fact: ExclusiveFact): void {
    this.#facts.push(fact);
    this.#exclusives.set(fact.beat, fact.soldAt);
  }
}
