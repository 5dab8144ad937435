import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type ClauseName, clauses } from "@beatmarket/license-terms/clauses.ts";
import { type Grant, judge, type Question, type Verdict } from "@beatmarket/license-terms/judge.ts";
import type { Limits } from "@beatmarket/license-terms/limits.ts";
import type { ClauseValue } from "@beatmarket/license-terms/terms-text.ts";

/** The output of the Python program. */
interface Judged {
  license: {
    ordered: string;
    refunded: boolean;
    files: string[];
    allows: Record<string, number | boolean | string | string[] | null>;
  };
  question: Question;
  allowed: Verdict["allowed"];
  clause: string | null;
}

/** Whether the number of a clause is a limit, which the judge reads from `limits`. */
const isLimit = (name: string): boolean => clauses.some((each) => each === name);

const grantOf = ({ ordered, refunded, files, allows }: Judged["license"]): Grant => ({
  purchasedAt: new Date(`${ordered}T23:59:59Z`),
  isRefunded: refunded,
  files,
  limits: Object.fromEntries(clauses.map((name) => [name, allows[name] ?? null])) as Limits,
  clauses: Object.entries(allows).map(([name, value]) => ({
    name: name as ClauseName,
    text: name,
    value: isLimit(name) ? "limit" : (value as ClauseValue),
  })),
});

export interface JudgesAgreement {
  questions: number;
  answers: Record<Verdict["allowed"], number>;
  /** The first questions on which the two programs differ, at most ten. */
  differences: string[];
}

/**
 * Has judge.py generate random questions and answer them from docs/clauses.md. Compares the service's answers, and the
 * clauses that they name, with those of judge.py.
 */
export async function compareJudges(count: number, seed: number): Promise<JudgesAgreement> {
  const page = join(import.meta.dirname, "../../../docs/clauses.md");
  const program = join(import.meta.dirname, "judge.py");
  const child = spawn("python3", [program, page, String(count), String(seed)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const agreement: JudgesAgreement = { questions: 0, answers: { yes: 0, no: 0, unknown: 0 }, differences: [] };
  for await (const line of createInterface({ input: child.stdout })) {
    const judged = JSON.parse(line) as Judged;
    const { allowed, clause } = judge(grantOf(judged.license), judged.question);
    agreement.questions++;
    agreement.answers[allowed]++;
    const agrees = allowed === judged.allowed && (clause?.name ?? null) === judged.clause;
    if (!agrees && agreement.differences.length < 10)
      agreement.differences.push(`${line} but ${allowed} by ${clause?.name}`);
  }
  const [status] = (await closed) as [number | null];
  if (status !== 0) throw new Error(`judge.py ended with ${status}.`);
  return agreement;
}
