import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { thousands } from "@beatmarket/foundation/text/counted.ts";
import type { Question } from "./judge.ts";
import { highestLimit } from "./limits.ts";

/**
 * The body of a question whether a license allows a use. `on` is the day of the use; by default today, but not before
 * the day of the order.
 */
export interface QuestionBody {
  use: string;
  quantity?: number | undefined;
  territory?: string | undefined;
  on?: string | undefined;
}

export const usePattern = /^[a-z][a-z_]{0,39}$/;
export const territoryPattern = /^[A-Z]{2}$/;

/** The day of a time in UTC: `2027-05-31`. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Reads a question. Throws 400 naming the field for an invalid value, and for a day before the order. */
export function readQuestion(
  { use, quantity = 1, territory, on }: QuestionBody,
  { ordered, today }: { ordered: string; today: string },
): Question {
  if (!usePattern.test(use))
    throw invalidRequest("The use field takes a word such as streams or content_id: lower-case letters and _.", "use");
  if (quantity < 1 || quantity > highestLimit)
    throw invalidRequest(`The quantity field must be from 1 to ${thousands(highestLimit)}.`, "quantity");
  if (territory !== undefined && !territoryPattern.test(territory))
    throw invalidRequest("The territory field takes a country by ISO 3166-1, such as DE.", "territory");
  if (on !== undefined && !isDay(on)) throw invalidRequest("The on field takes a day such as 2031-05-31.", "on");
  const day = on ?? (today < ordered ? ordered : today);
  if (day < ordered)
    throw invalidRequest(`The on field is ${day}, before the order of ${ordered}. Ask for a day since then.`, "on");
  return { use, quantity, territory: territory ?? null, on: day };
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && dayOf(date) === text;
}
