/** A kind of clause of the terms. */
interface ClauseKind {
  /** The unit of the clause's number. Set only where the clause is a number that licensors may change. */
  counts?: string;
  /** The heading of the clause's column in the table that compares licenses. */
  label?: string;
}

/**
 * Every clause by name (docs/clauses.md), in the order of the table that compares licenses. The limits of the API and
 * of `limits.json`, the text of the terms, that table and the answers about licenses are derived from this list.
 */
export const clauseKinds = {
  files: { label: "Files" },
  song: {},
  copies: { counts: "copies", label: "Copies" },
  streams: { counts: "streams", label: "Streams" },
  videos: { counts: "music videos", label: "Videos" },
  radio_stations: { counts: "radio stations", label: "Radio stations" },
  /** Performances for which someone is paid. */
  paid_performances: { counts: "paid performances", label: "Paid shows" },
  /** The years that a license lasts, from the date of the order. */
  years: { counts: "years", label: "Term" },
  territory: {},
  credit: {},
  publishing: {},
  exclusive: { label: "Exclusive" },
  authorship: {},
  resale: {},
  sublicense: {},
  content_id: {},
  training: {},
  beyond_limits: {},
  /** The day whose prices an upgrade costs: `purchase` or `today`, the default. The built-in terms lack this clause. */
  upgrade_price: {},
  refund: {},
  breach: {},
} as const satisfies Record<string, ClauseKind>;

type Kinds = typeof clauseKinds;
export type ClauseName = keyof Kinds;
/** The clauses with a limit. */
export type Clause = { [Name in ClauseName]: Kinds[Name] extends { counts: string } ? Name : never }[ClauseName];
type LabelledClause = { [Name in ClauseName]: Kinds[Name] extends { label: string } ? Name : never }[ClauseName];

export const clauseNames = Object.keys(clauseKinds) as ClauseName[];
export const clauses = clauseNames.filter((name): name is Clause => "counts" in clauseKinds[name]);
/** The columns of the table that compares licenses. */
export const comparedClauses = clauseNames.filter((name): name is LabelledClause => "label" in clauseKinds[name]);
