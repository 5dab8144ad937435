import type { Leaf } from "./entry.ts";

// The rules for the leaves of the license log (docs/license-log.md, Rules). Pure.

/** The longest duration of a payment: an order that is older when it is logged was backdated. */
const maxPendingMs = 14 * 86_400_000;

interface ExclusiveFact {
  index: number;
  beat: number;
  /** When the exclusive license was sold; null: it is for sale again. */
  soldAt: string | null;
}

/** Takes the leaves in order, and returns the problems of each. */
export class LogRules {
  sold = 0;
  /** Leaves that the shop's database has lost. */
  lost = 0;
  #last = "";
  #facts: ExclusiveFact[] = [];
  #exclusives = new Map<number, string | null>();

  /** The problems of this leaf as sentences. `leaf` is null for an unreadable one. */
  take(index: number, leaf: Leaf | null): string[] {
    if (leaf === null) return [`Leaf ${index} is none that this program knows.`];
    const problems =
      leaf.time < this.#last ? [`Leaf ${index} of ${leaf.time} is dated before the one in front of it.`] : [];
    if (leaf.time > this.#last) this.#last = leaf.time;
    return [...problems, ...this.#takeFact(index, leaf)];
  }

  #takeFact(index: number, leaf: Leaf): string[] {
    const { kind, beat = -1 } = leaf;
    if (kind === "sold") return this.#sell(index, leaf);
    if (kind === "lost") return this.#lose(index, leaf);
    if (kind === "returned") this.#set({ index, beat, soldAt: null });
    if (kind !== "reinstated" || leaf.exclusive !== true) return [];
    const problems = this.#isSold(beat)
      ? [`Leaf ${index} gives back the exclusive license of beat ${beat}, which is sold.`]
      : [];
    this.#set({ index, beat, soldAt: leaf.time });
    return problems;
  }

  #sell(index: number, { beat = -1, exclusive, placed = "", time }: Leaf): string[] {
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
    if (exclusive === true) this.#set({ index, beat, soldAt: time });
    return problems;
  }

  /**
   * Lost leaves no longer count: the shop may sell again what its database does not know as sold. The report has their
   * number.
   */
  #lose(index: number, { from = -1, to = -1 }: Leaf): string[] {
    if (to !== index || from < 0 || from >= to) return [`Leaf ${index} says that leaves were lost, and not which.`];
    this.lost += to - from;
    const earlierFacts = this.#facts.filter((fact) => fact.index < from);
    this.#facts = [];
    this.#exclusives = new Map();
    for (const fact of earlierFacts) this.#set(fact);
    return [];
  }

  #isSold = (beat: number): boolean => (this.#exclusives.get(beat) ?? null) !== null;

  #set(fact: ExclusiveFact): void {
    this.#facts.push(fact);
    this.#exclusives.set(fact.beat, fact.soldAt);
  }
}
