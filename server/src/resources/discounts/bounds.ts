import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { codePattern, type Discount } from "./discount.ts";

/** The range of each number, by column. Uses are counted in a 32-bit integer. */
const numbers = {
  percent: [1, 100],
  pack_size: [2, 10],
  pack_paid: [1, 9],
  max_uses: [1, 1_000_000],
  max_uses_per_buyer: [1, 1_000_000],
} as const;
const maxBeats = 200;

type Bounded = Pick<
  Discount,
  keyof typeof numbers | "code" | "valid_from" | "valid_until" | "beat_ids" | "license_types"
>;

/** Throws 400 that names the first field outside its range. */
export function requireBounds(discount: Bounded): void {
  const { code, beat_ids, license_types } = discount;
  if (code !== null && !codePattern.test(code))
    throw invalidRequest("The code field takes 3 to 32 letters, digits, - and _, such as SPRING-20.", "code");
  for (const [field, [least, most]] of Object.entries(numbers) as [keyof typeof numbers, readonly [number, number]][]) {
    const value = discount[field];
    if (value !== null && (value < least || value > most))
      throw invalidRequest(`The ${field} field must be from ${least} to ${most.toLocaleString("en")}.`, field);
  }
  for (const field of ["valid_from", "valid_until"] as const)
    if (Number.isNaN(discount[field]?.getTime() ?? 0))
      throw invalidRequest(`The ${field} field must be a time in ISO 8601, such as 2026-12-24T18:00:00Z.`, field);
  if (beat_ids !== null && (beat_ids.length === 0 || beat_ids.length > maxBeats))
    throw invalidRequest(`The beat_ids field names 1 to ${maxBeats} beats; leave it out for all of yours.`, "beat_ids");
  if (license_types?.length === 0)
    throw invalidRequest("The license_types field names at least 1; leave it out for all.", "license_types");
}
