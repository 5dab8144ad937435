import type { Report } from "./drill.ts";

const verdicts = { right: "right", wrong: "WRONG", unseen: "not seen" } as const;

/** Formats the report as a table, with the remedy below each mistake. */
export function reportText({ findings, hasReadBack, id }: Report): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const indent = " ".repeat(width + 12);
  const rows = findings.flatMap(({ name, verdict, problems, repair }) => [
    `${name.padEnd(width)}  ${verdicts[verdict].padEnd(8)}  ${problems[0] ?? ""}`.trimEnd(),
    ...problems.slice(1).map((problem) => `${indent}${problem}`),
    ...(verdict === "wrong" ? [`${indent}→ ${repair}`] : []),
  ]);
  const count = (verdictName: string) => findings.filter(({ verdict }) => verdict === verdictName).length;
  const [right, wrong, unseen] = [count("right"), count("wrong"), count("unseen")];
  const totals = [`${right} right`, `${wrong} wrong`, ...(unseen > 0 ? [`${unseen} not seen`] : [])].join(", ");
  const hint =
    unseen === 0 || hasReadBack
      ? []
      : [
          "",
          `Status codes do not show what is handled twice or not at all. To check that too, answer GET ?drill=${id}`,
          'with {"handled": [ids]}: see "Test your integration".',
        ];
  return [...rows, "", totals, ...hint].join("\n");
}

export const isPassed = ({ findings }: Report): boolean => findings.every(({ verdict }) => verdict !== "wrong");
