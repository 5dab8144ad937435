/** The result of one check. */
export interface Result {
  /** The part of the programme that it belongs to. */
  part: string;
  check: string;
  outcome: "passed" | "failed" | "skipped";
  /** What was counted or measured, as it is printed. */
  figure: string;
}

/** Collects the results of a programme (`npm run faults`, `npm run foreign`). The runner decides how to show each. */
export class Report {
  readonly results: Result[] = [];
  readonly #show: (result: Result) => void;
  readonly #progress: (progress: string) => void;
  readonly #bounds: "held" | "ignored";
  #part = "";

  /** `bounds`: whether wall times are held against their limits, or left alone, as tests must. */
  constructor(options: {
    bounds: "held" | "ignored";
    show?: (result: Result) => void;
    progress?: (progress: string) => void;
  }) {
    this.#bounds = options.bounds;
    this.#show = options.show ?? (() => {});
    this.#progress = options.progress ?? (() => {});
  }

  /** Whatever follows is about this part. */
  begin(part: string): void {
    this.#part = part;
  }

  /** How far a part that takes minutes has come. */
  progress(text: string): void {
    this.#progress(text);
  }

  /** A guarantee: it holds on a busy machine as well. */
  check(check: string, isHeld: boolean, figure: string | number): void {
    this.#add(check, isHeld ? "passed" : "failed", String(figure));
  }

  /** A figure with a limit that a busy machine may push it over, such as a wall time or a size. */
  bound(check: string, value: number, limit: number, unit: string): void {
    if (this.#bounds === "ignored") return;
    const shown = (number: number) => Number(number.toPrecision(3)).toLocaleString("en");
    this.#add(check, value <= limit ? "passed" : "failed", `${shown(value)} ${unit}, at most ${shown(limit)}`);
  }

  skip(check: string, why: string): void {
    this.#add(check, "skipped", why);
  }

  count(outcome: Result["outcome"]): number {
    return this.results.filter((result) => result.outcome === outcome).length;
  }

  #add(check: string, outcome: Result["outcome"], figure: string): void {
    const result = { part: this.#part, check, outcome, figure };
    this.results.push(result);
    this.#show(result);
  }
}
