import { counted } from "@beatmarket/foundation/text/counted.ts";
import type { Finding } from "./check.ts";

const headings = ["CHECK", "STATE", "WHAT WAS FOUND, AND WHAT TO DO"] as const;
const narrowest = 40;

/** One table. The last column is wrapped to `width`, since a sentence is longer than a line. */
export function findingsText(findings: readonly Finding[], width: number): string {
  const rows = findings.map(({ check, state, detail, remedy }) => [
    check,
    state === "wrong" ? "WRONG" : state,
    remedy === null ? detail : `${detail} ${remedy}`,
  ]);
  const widest = (column: number) => Math.max(...[headings, ...rows].map((row) => row[column]?.length ?? 0));
  const [first, second] = [widest(0), widest(1)];
  const line = (cells: readonly string[]) =>
    wrapped(cells[2] ?? "", Math.max(narrowest, width - first - second - 4))
      .map((text, index) =>
        index === 0
          ? `${(cells[0] ?? "").padEnd(first)}  ${(cells[1] ?? "").padEnd(second)}  ${text}`
          : `${" ".repeat(first + second + 4)}${text}`,
      )
      .join("\n");
  return `${[headings, ...rows].map(line).join("\n")}\n\n${summary(findings)}`;
}

function summary(findings: readonly Finding[]): string {
  const count = (soughtState: Finding["state"]) => findings.filter(({ state }) => state === soughtState).length;
  const [faults, warnings] = [count("wrong"), count("warning")];
  const checks = counted(findings.length, "check");
  if (faults + warnings === 0) return `Nothing is wrong: ${checks}.`;
  return `${checks}: ${faults} wrong, ${counted(warnings, "warning")}.`;
}

function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) as string;
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
