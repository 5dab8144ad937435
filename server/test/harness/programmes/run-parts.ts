import { matchesGlob } from "node:path";
import { Report, type Result } from "./report.ts";

/** A part of a programme that can run separately: a fault, or a tool. */
export interface Part {
  /** The argument of `--only`. */
  name: string;
  about: string;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/**
 * The parts that `--only` names: one name, several names with commas, or a pattern in which `*` matches any characters.
 * Returns a sentence if a name matches no part.
 */
export function choose<P extends Part>(parts: readonly P[], only: readonly string[]): P[] | string {
  const patterns = only.flatMap((names) => names.split(","));
  const unknown = patterns.filter((pattern) => !parts.some(({ name }) => matchesGlob(name, pattern)));
  if (unknown.length > 0)
    return `There is no ${unknown.join(", ")}; there are ${parts.map(({ name }) => name).join(", ")}.`;
  return parts.filter(({ name }) => patterns.some((pattern) => matchesGlob(name, pattern)));
}

/** One line for each part, as `--help` and `--list` show them. */
export const listParts = (parts: readonly Part[]): string => {
  const width = Math.max(...parts.map(({ name }) => name.length)) + 1;
  return parts.map(({ name, about }) => `${name.padEnd(width)} ${about}`).join("\n");
};

/** The selected parts of a programme, and the way to run them. */
export interface Run<P extends Part> {
  parts: readonly P[];
  /** The values of `--only`. If there are none, the parts run for which `isUsual` is true; without `isUsual`, all. */
  only: readonly string[];
  isUsual?: (part: P) => boolean;
  play: (part: P, report: Report) => Promise<void>;
}

/** Runs the parts in order and prints their results. Ends with "N passed, N failed" and the exit status. */
export async function runParts<P extends Part>({ parts, only, isUsual, play }: Run<P>): Promise<void> {
  const selection = only.length > 0 ? choose(parts, only) : parts.filter((part) => isUsual?.(part) ?? true);
  if (typeof selection === "string") {
    print(selection);
    process.exitCode = 1;
    return;
  }
  const report = new Report({
    bounds: "held",
    show: ({ check, outcome, figure }) => print(`  ${outcome === "failed" ? "FAILED" : outcome}  ${check}: ${figure}`),
    // Progress goes to stderr, because stdout may be redirected into a file.
    progress: (progress) => process.stderr.write(`  … ${progress}\n`),
  });
  for (const part of selection) {
    print(`${part.name}: ${part.about}`);
    const startMs = performance.now();
    await play(part, report);
    print(`  (${((performance.now() - startMs) / 1000).toFixed(0)} s)`);
  }
  for (const line of summary(report.results)) print(line);
  process.exitCode = report.count("failed") === 0 ? 0 : 1;
}

/** The last lines of a run: the skipped checks with their reasons, and the counts of the others. */
export function summary(results: readonly Result[]): string[] {
  const resultsWith = (outcome: Result["outcome"]) => results.filter((result) => result.outcome === outcome);
  const skipped = resultsWith("skipped");
  return [
    ...(skipped.length > 0 ? [`${skipped.length} skipped:`] : []),
    ...skipped.map(({ part, check, figure }) => `  ${part}: ${check}: ${figure}`),
    `${resultsWith("passed").length} passed, ${resultsWith("failed").length} failed`,
  ];
}
