import { type AST, RegExpParser } from "@eslint-community/regexpp";

// Node's engine backtracks: it tries every way to match a text. The number of ways grows with the text's length in two
// cases. Two repetitions can divide the same characters between them, such as in (a+)+ or "[a-z]*x[a-z]*". Or a search
// without an anchor starts an attempt at each character, and each attempt reads to the end, such as in \s+$. In
// automata theory that is infinite ambiguity (Weber and Seidl, On the degree of ambiguity of finite automata, 1991):
// states p ≠ q and a text v with p → p, p → q and q → q, each by reading v. This module searches for such a v.

/** A text for which an expression takes more than linear time: `prefix`, then `pump` many times. */
export interface Attack {
  prefix: string;
  pump: string;
}

/** An upper bound above this counts as unbounded. */
const maxBounded = 100;
/** The state at the start of the text, and the state of a search that continues at the next character. */
const [initial, searching] = [0, 1];

interface Fragment {
  first: number[];
  last: number[];
  nullable: boolean;
}

const parser = new RegExpParser();

/**
 * Null if the expression takes linear time for any text. Otherwise a text that shows the opposite. In rare cases the
 * result is too cautious, because look-around and word boundaries count as true everywhere.
 */
export function findAttack(expression: RegExp): Attack | null {
  return new Automaton(expression).findAttack();
}

/** Texts that the expression's repetitions read, one for each repetition, for measurements of the time. */
export function loopsOf(expression: RegExp): Attack[] {
  return new Automaton(expression).loops();
}

/** A position automaton (Glushkov): a state for each place in the expression that reads a character. */
class Automaton {
  readonly #flags: string;
  readonly #alphabet: readonly string[];
  /** The indexes of the characters that each state reads. */
  readonly #reads: Uint8Array[] = [];
  readonly #follow: Map<number, number>[] = [];
  readonly #starts = new Set<number>();
  readonly #ends = new Set<number>();
  readonly #accepting: Set<number>;
  readonly #component: number[];

  constructor(expression: RegExp) {
    const literal = parser.parseLiteral(String(expression));
    this.#flags = expression.flags.replaceAll(/[gyd]/g, "");
    this.#alphabet = alphabetOf(literal);
    this.#state(null);
    this.#state(null);
    const pattern = this.#alternatives(literal.pattern.alternatives, false);
    this.#accepting = new Set(pattern.last);
    this.#begin(pattern.first, expression);
    this.#component = components(this.#follow);
  }

  findAttack(): Attack | null {
    const states = this.#follow.keys().toArray();
    const looping = states.filter((state) => this.#loops(state));
    for (const p of looping) {
      const twice = [...(this.#follow[p] ?? [])].find(
        ([next, ways]) => ways > 1 && this.#component[next] === this.#component[p],
      );
      if (twice !== undefined) return this.#attack(p, this.#wayBack(p, twice[0]));
      for (const q of looping) {
        if (p === q || this.#alwaysMatches(q)) continue;
        const pump = this.#pump(p, q);
        if (pump !== null) return this.#attack(p, pump);
      }
    }
    return null;
  }

  loops(): Attack[] {
    return this.#follow
      .keys()
      .toArray()
      .filter((state) => state !== searching && this.#loops(state))
      .map((state) => this.#attack(state, this.#path([state], state) ?? ""))
      .filter(({ pump }) => pump !== "");
  }

  #attack(p: number, pump: string): Attack {
    return { prefix: p === searching ? "" : (this.#path([initial, searching], p) ?? ""), pump };
  }

  #state(reads: Uint8Array | null): number {
    this.#reads.push(reads ?? new Uint8Array(this.#alphabet.length));
    return this.#follow.push(new Map()) - 1;
  }

  #connect(from: Iterable<number>, to: readonly number[]): void {
    for (const state of from)
      for (const next of to) {
        const edges = this.#follow[state] as Map<number, number>;
        edges.set(next, (edges.get(next) ?? 0) + 1);
      }
  }

  /**
   * Connects the start of the text with the states with which the expression can begin. If the expression is not
   * sticky, every later character is connected with them, too.
   */
  #begin(first: readonly number[], { sticky, multiline }: RegExp): void {
    const anchored = first.filter((state) => this.#starts.has(state));
    const behindAnchor = anchored.flatMap((state) => [...(this.#follow[state]?.keys() ?? [])]);
    const free = first.filter((state) => !this.#starts.has(state));
    this.#connect([initial], [...new Set([...free, ...behindAnchor])]);
    if (sticky || (free.length === 0 && !multiline)) return;
    this.#reads[searching] = new Uint8Array(this.#alphabet.length).fill(1);
    this.#connect([initial], [searching]);
    this.#connect([searching], [searching, ...free]);
    if (!multiline || behindAnchor.length === 0) return;
    const lineEnd = this.#state(this.#characters((character) => /[\n\r\u2028\u2029]/.test(character)));
    this.#connect([searching], [lineEnd]);
    this.#connect([lineEnd], behindAnchor);
  }

  #characters(isRead: (character: string) => boolean): Uint8Array {
    return Uint8Array.from(this.#alphabet, (character) => Number(isRead(character)));
  }

  #alternatives(alternatives: readonly AST.Alternative[], backward: boolean): Fragment {
    const fragments = alternatives.map(({ elements }) => {
      const parts = elements.map((element) => () => this.#element(element, backward));
      return this.#sequence(backward ? parts.reverse() : parts);
    });
    return {
      first: fragments.flatMap(({ first }) => first),
      last: fragments.flatMap(({ last }) => last),
      nullable: fragments.some(({ nullable }) => nullable),
    };
  }

  #sequence(parts: readonly (() => Fragment)[]): Fragment {
    const sequence: Fragment = { first: [], last: [], nullable: true };
    for (const part of parts) {
      const next = part();
      this.#connect(sequence.last, next.first);
      if (sequence.nullable) sequence.first.push(...next.first);
      sequence.last = next.nullable ? [...sequence.last, ...next.last] : next.last;
      sequence.nullable &&= next.nullable;
    }
    return sequence;
  }

  #element(element: AST.Element, backward: boolean): Fragment {
    switch (element.type) {
      case "Group":
        if (element.modifiers != null) throw new Error(`${element.raw}: modifiers are not known here`);
        return this.#alternatives(element.alternatives, backward);
      case "CapturingGroup":
        return this.#alternatives(element.alternatives, backward);
      case "Quantifier":
        return this.#quantifier(element, backward);
      case "Assertion":
        return this.#assertion(element);
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass": {
        const isRead = new RegExp(`^(?:${element.raw})$`, this.#flags.replace("m", ""));
        const state = this.#state(this.#characters((character) => isRead.test(character)));
        return { first: [state], last: [state], nullable: false };
      }
      default:
        throw new Error(`${element.raw}: a ${element.type} cannot be judged; write the expression without it`);
    }
  }

  #quantifier({ element, min, max }: AST.Quantifier, backward: boolean): Fragment {
    const endless = max > maxBounded;
    // Two copies behave like any higher number of copies.
    const least = Math.min(min, 2);
    const copies = endless ? Math.max(least, 1) : Math.min(max, Math.max(least, 2));
    return this.#sequence(
      Array.from({ length: copies }, (_, index) => () => {
        const copy = this.#element(element, backward);
        if (endless && index === copies - 1) this.#connect(copy.last, copy.first);
        return index < least ? copy : { ...copy, nullable: true };
      }),
    );
  }

  /**
   * Look-around reads ahead or back, and the attempt then continues at the earlier position. So it is a branch without
   * a successor.
   */
  #assertion(assertion: AST.Assertion): Fragment {
    if (assertion.kind === "word") return { first: [], last: [], nullable: true };
    if (assertion.kind === "lookahead" || assertion.kind === "lookbehind")
      return {
        ...this.#alternatives(assertion.alternatives, assertion.kind === "lookbehind"),
        last: [],
        nullable: true,
      };
    const state = this.#state(null);
    (assertion.kind === "start" ? this.#starts : this.#ends).add(state);
    return { first: [state], last: [state], nullable: false };
  }

  #loops(state: number): boolean {
    const next = [...(this.#follow[state]?.keys() ?? [])];
    return next.includes(state) || next.some((other) => this.#component[other] === this.#component[state]);
  }

  /** Whether an attempt that has reached this state succeeds with any further text, so that it never backtracks. */
  #alwaysMatches(state: number): boolean {
    if (this.#accepting.has(state) && !this.#ends.has(state)) return true;
    const follow = [...(this.#follow[state]?.keys() ?? [])];
    const isLast = follow.some((next) => this.#ends.has(next) && this.#accepting.has(next));
    const readsAll = this.#alphabet.every(
      (character, index) =>
        this.#reads[state]?.[index] === 1 || (this.#flags.includes("m") && /[\n\r\u2028\u2029]/.test(character)),
    );
    return isLast && follow.includes(state) && readsAll;
  }

  /** A text v with p → p, p → q and q → q; null if there is none. */
  #pump(p: number, q: number): string | null {
    const size = this.#follow.length;
    const target = (p * size + q) * size + q;
    const predecessors = new Map<number, { from: number; character: number }>();
    const waiting = [(p * size + p) * size + q];
    for (let at = 0; at < waiting.length; at++) {
      const triple = waiting[at] as number;
      const [one, two, three] = [Math.floor(triple / size / size), Math.floor(triple / size) % size, triple % size];
      for (const a of this.#within(one, p))
        for (const b of this.#follow[two]?.keys() ?? [])
          for (const c of this.#within(three, q)) {
            const next = (a * size + b) * size + c;
            if (predecessors.has(next)) continue;
            const character = this.#shared(a, b, c);
            if (character < 0) continue;
            predecessors.set(next, { from: triple, character });
            if (next === target) return this.#read(predecessors, next, waiting[0] as number);
            waiting.push(next);
          }
    }
    return null;
  }

  #read(predecessors: Map<number, { from: number; character: number }>, last: number, first: number): string {
    let text = "";
    for (let at = last; ; ) {
      const { from, character } = predecessors.get(at) as { from: number; character: number };
      text = this.#alphabet[character] + text;
      if (from === first) return text;
      at = from;
    }
  }

  #within(state: number, home: number): number[] {
    return [...(this.#follow[state]?.keys() ?? [])].filter((next) => this.#component[next] === this.#component[home]);
  }

  /** The index of a character that all three states read; -1 for none. */
  #shared(a: number, b: number, c: number): number {
    const [one, two, three] = [this.#reads[a], this.#reads[b], this.#reads[c]] as [Uint8Array, Uint8Array, Uint8Array];
    return one.findIndex((reads, index) => reads === 1 && two[index] === 1 && three[index] === 1);
  }

  /** A loop that begins with the step from `state` to `next`. */
  #wayBack(state: number, next: number): string {
    const first = this.#alphabet[this.#shared(next, next, next)] ?? "";
    return first + (next === state ? "" : (this.#path([next], state) ?? ""));
  }

  /** The shortest text that leads from one of the states to another. */
  #path(from: readonly number[], to: number): string | null {
    const texts = new Map<number, string>(from.map((state) => [state, ""]));
    for (const [state, text] of texts)
      for (const next of this.#follow[state]?.keys() ?? []) {
        const character = this.#shared(next, next, next);
        if (character < 0) continue;
        if (next === to) return text + this.#alphabet[character];
        if (!texts.has(next)) texts.set(next, text + this.#alphabet[character]);
      }
    return null;
  }
}

/** Characters of each kind that expressions distinguish, and the characters that this expression names. */
function alphabetOf(literal: AST.RegExpLiteral): string[] {
  const codes = new Set(Array.from({ length: 0x180 }, (_, code) => code));
  for (const character of "\u0300\u05D0\u0627\u0640\u0660\u0E01\u1160\u200B\u200D\u2028\u202E\u2066\u20AC\u3042\u3099\u30A2\u4E00\uAC00\uFE0F\uFEFF\uFF10\uFFFD😀🇦🏻")
    codes.add(character.codePointAt(0) as number);
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [name, child] of Object.entries(node)) {
      if (name === "parent" || name === "references" || name === "resolved") continue;
      if (name === "value" && typeof child === "number")
        for (const code of [child - 1, child, child + 1]) codes.add(code);
      else if (Array.isArray(child)) for (const element of child) visit(element);
      else visit(child);
    }
  };
  visit(literal.pattern);
  const last = literal.flags.unicode || literal.flags.unicodeSets ? 0x10ffff : 0xffff;
  return [...codes].filter((code) => code >= 0 && code <= last).map((code) => String.fromCodePoint(code));
}

/** The strongly connected component of each state (Tarjan). */
function components(follow: readonly Map<number, number>[]): number[] {
  const index: number[] = [];
  const low: number[] = [];
  const component: number[] = [];
  const stack: number[] = [];
  let visited = 0;
  const visit = (state: number): void => {
    index[state] = visited++;
    low[state] = index[state];
    stack.push(state);
    for (const next of follow[state]?.keys() ?? []) {
      if (index[next] === undefined) visit(next);
      if (component[next] === undefined) low[state] = Math.min(low[state] ?? 0, low[next] ?? 0);
    }
    if (low[state] !== index[state]) return;
    for (let member = -1; member !== state; ) {
      member = stack.pop() as number;
      component[member] = state;
    }
  };
  for (const state of follow.keys()) if (index[state] === undefined) visit(state);
  return component;
}
