import type { ClauseName } from "../../beats/licensing/clauses.ts";

/**
 * How an answer follows from the clause of a use. `number`: up to its number. `says`: its value; `opposite`: the
 * opposite. `always`: yes if the clause exists. `stems`: if the certificate lists stems. `unspoken`: it is the nearest
 * clause, but does not mention the use.
 */
type Rule = "number" | "says" | "opposite" | "always" | "stems" | "unspoken";

/** The uses by name, with the clause that answers (docs/clauses.md, Uses). */
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

/** The clause that answers for a use. */
export const clauseOf = (use: string): ClauseName =>
  (Object.hasOwn(uses, use) ? (uses[use] ?? anyOther) : anyOther).clause;
