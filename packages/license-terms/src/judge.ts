import type { ClauseName } from "./clauses.ts";
import type { Limits } from "./limits.ts";
import type { TermsClause } from "./terms-text.ts";

/**
 * The rule by which a clause allows a use. `number`: up to the number of the clause. `says`: if the value of the clause
 * is true; `opposite`: if the value is not true. `always`: if the clause exists. `stems`: if the certificate lists
 * stems. `unspoken`: unknown, since the nearest clause does not mention the use.
 */
type Rule = "number" | "says" | "opposite" | "always" | "stems" | "unspoken";

/** The uses by name, with the clause that decides (docs/clauses.md, Uses). */
export const uses: Readonly<Record<string, { clause: ClauseName; rule: Rule }>> = {
  song: { clause: "song", rule: "number" },
  edit: { clause: "song", rule: "always" },
  copies: { clause: "copies", rule: "number" },
  streams: { clause: "streams", rule: "number" },
  monetised_streams: { clause: "streams", rule: "number" },
  videos: { clause: "videos", rule: "number" },
  performances: { clause: "paid_performances", rule: "always" },
  paid_performances: { clause: "paid_performances", rule: "number" },
  radio_stations: { clause: "radio_stations", rule: "number" },
  stems: { clause: "files", rule: "stems" },
  publishing: { clause: "publishing", rule: "number" },
  without_credit: { clause: "credit", rule: "opposite" },
  exclusive: { clause: "exclusive", rule: "says" },
  authorship: { clause: "authorship", rule: "says" },
  resale: { clause: "resale", rule: "says" },
  sublicense: { clause: "sublicense", rule: "says" },
  content_id: { clause: "content_id", rule: "says" },
  training: { clause: "training", rule: "says" },
  content_id_of_song: { clause: "content_id", rule: "unspoken" },
  advertising: { clause: "videos", rule: "unspoken" },
  film: { clause: "videos", rule: "unspoken" },
  game: { clause: "copies", rule: "unspoken" },
  merchandise: { clause: "copies", rule: "unspoken" },
  ringtone: { clause: "copies", rule: "unspoken" },
};

/** The row for any other use: the clause that states the purpose of the license. */
export const anyOther: { clause: ClauseName; rule: Rule } = { clause: "song", rule: "unspoken" };

/** The clause that decides about a use. */
export const clauseOf = (use: string): ClauseName =>
  (Object.hasOwn(uses, use) ? (uses[use] ?? anyOther) : anyOther).clause;

/** The facts that the answer depends on. */
export interface Grant {
  purchasedAt: Date;
  isRefunded: boolean;
  /** The kinds of the files that the certificate names. */
  files: readonly string[];
  /** Null for terms without limits. */
  limits: Limits | null;
  /** The clauses with the limits filled in; null for terms that were recorded without clauses. */
  clauses: readonly TermsClause[] | null;
}

export interface Question {
  use: string;
  quantity: number;
  /** ISO 3166-1; null for no particular country. */
  territory: string | null;
  /** `2027-05-31`, in UTC. */
  on: string;
}

export const licenseStates = ["valid", "expired", "refunded", "replaced"] as const;
export type LicenseState = (typeof licenseStates)[number];

/** `unknown`: the terms do not mention the use. */
export const allowances = ["yes", "no", "unknown"] as const;

export interface Verdict {
  allowed: (typeof allowances)[number];
  /** Null if the terms have no related clause. */
  clause: TermsClause | null;
  /** The limit in the clause; null if the clause allows any number, or has no number. */
  limit: number | null;
}

/** Decides whether a license allows a use (docs/clauses.md, Uses). Pure. */
export function judge(grant: Grant, question: Question): Verdict {
  const verdict = (allowed: Verdict["allowed"], name: ClauseName): Verdict => {
    const clause = grant.clauses?.find((each) => each.name === name) ?? null;
    return { allowed, clause, limit: clause && numberOf(grant, clause) };
  };
  if (grant.isRefunded) return verdict("no", "refund");
  const lastDay = lastDayOf(grant);
  if (lastDay !== null && question.on > lastDay) return verdict("no", "years");
  const { clause: name, rule } = Object.hasOwn(uses, question.use) ? (uses[question.use] ?? anyOther) : anyOther;
  const verdictOf = (isAllowed: boolean): Verdict =>
    isAllowed && excludesTerritory(grant, question)
      ? verdict("no", "territory")
      : verdict(isAllowed ? "yes" : "no", name);
  const clause = grant.clauses?.find((each) => each.name === name);
  if (clause === undefined || rule === "unspoken") return verdict("unknown", name);
  if (rule === "always") return verdictOf(true);
  if (rule === "stems") return verdictOf(grant.files.includes("stems"));
  if (rule === "number") {
    const limit = numberOf(grant, clause);
    return verdictOf(limit === null || question.quantity <= limit);
  }
  return verdictOf((clause.value === true) === (rule === "says"));
}

/** The last day of the term, in UTC; null without an end. */
export function lastDayOf({ purchasedAt, limits, clauses }: Grant): string | null {
  const years = limits?.years ?? null;
  if (years === null || clauses?.some(({ name }) => name === "years") !== true) return null;
  const end = new Date(purchasedAt);
  end.setUTCFullYear(end.getUTCFullYear() + Math.min(years, maxYears));
  end.setUTCDate(end.getUTCDate() - 1);
  const day = end.toISOString();
  // A year of more than four digits has a sign. No question can be about such a day.
  return day.startsWith("+") ? null : day.slice(0, 10);
}

const maxYears = 10_000;

/** A license can be renewed from this many days before its last day. */
const renewalDays = 90;

/** The first day on which a license with this last day can be renewed, in UTC. */
export const renewableFrom = (lastDay: string): string =>
  new Date(Date.parse(lastDay) - renewalDays * 86_400_000).toISOString().slice(0, 10);

/** The limit in a clause; null if the clause allows any number, and if the terms do not have the clause. */
export function limitOf(grant: Grant, name: ClauseName): number | null {
  const clause = grant.clauses?.find((each) => each.name === name);
  return clause === undefined ? null : numberOf(grant, clause);
}

function numberOf({ limits }: Grant, { name, value }: TermsClause): number | null {
  if (value === "limit") return limits?.[name as keyof Limits] ?? null;
  return typeof value === "number" ? value : null;
}

function excludesTerritory({ clauses }: Grant, { territory }: Question): boolean {
  const value = clauses?.find(({ name }) => name === "territory")?.value;
  return territory !== null && Array.isArray(value) && !value.includes(territory);
}
