/** The result of one check. */
export interface Result {
  /** The part of the programme to which the check belongs. */
  part: string;
  check: string;
  outcome: "passed" | "failed" | "skipped" | "measured";
  /** The count or measurement as text; if the check was skipped, the reason. */
  figure: string;
}

/** Collects the results of a programme (`npm run faults`, `npm run foreign`). The runner decides how to show each. */
export class Report {
  readonly results: Result[] = [];
  readonly #show: (result: Result) => void;
  readonly #progress: (progress: string) => void;
  readonly #bounds: "held" | "ignored";
  #part = "";

  /** `bounds` decides whether measured times are compared with their limits. Tests must not compare them. */
  constructor(options: {
    bounds: "held" | "ignored";
    show?: (result: Result) => void;
    progress?: (progress: string) => void;
  }) {
    this.#bounds = options.bounds;
    this.#show = options.show ?? (() => {});
    this.#progress = options.progress ?? (() => {});
  }

  /** Begins a part, to which all later results belong. */
  begin(part: string): void {
    this.#part = part;
  }

  /** Reports progress of a part that takes minutes. */
  progress(text: string): void {
    this.#progress(text);
  }

  /** Records a guarantee that also holds on a busy machine. */
  check(check: string, isHeld: boolean, figure: string | number): void {
    this.#add(check, isHeld ? "passed" : "failed", String(figure));
  }

  /** Records a figure that may exceed its limit on a busy machine, such as a duration or a size. */
  bound(check: string, value: number, limit: number, unit: string): void {
    if (this.#bounds === "ignored") return;
    const rounded = (number: number) => Number(number.toPrecision(3)).toLocaleString("en");
    this.#add(check, value <= limit ? "passed" : "failed", `${rounded(value)} ${unit}, at most ${rounded(limit)}`);
  }

  /** Records a figure without a guarantee. */
  measure(check: string, value: string | number): void {
    this.#add(check, "measured", String(value));
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
