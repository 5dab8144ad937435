/** A kind of finding in the rows of a file, with its count and its first lines. */
export interface Finding {
  kind: string;
  times: number;
  firstLines: readonly number[];
}

const maxLines = 5;

/** Counts findings. There are few kinds of them, so memory does not grow with the file. */
export class Findings {
  readonly #byKind = new Map<string, { times: number; firstLines: number[] }>();

  add(kind: string, line: number): void {
    let finding = this.#byKind.get(kind);
    if (finding === undefined) {
      finding = { times: 0, firstLines: [] };
      this.#byKind.set(kind, finding);
    }
    finding.times++;
    if (finding.firstLines.length < maxLines) finding.firstLines.push(line);
  }

  /** The findings, most frequent first. */
  list(): Finding[] {
    return Array.from(this.#byKind, ([kind, { times, firstLines }]) => ({ kind, times, firstLines })).sort(
      (a, b) => b.times - a.times,
    );
  }
}
