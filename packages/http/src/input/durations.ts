import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";

const secondMs = 1_000;
const unitsMs = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, secondMs] as const;
const pattern = /^P(?=.)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/**
 * Parses an ISO 8601 duration of weeks, days, hours, minutes and seconds. Returns milliseconds. Throws 400 with the
 * name of the field.
 */
export function readDuration(field: string, text: string): number {
  const parts = pattern.exec(text)?.slice(1);
  if (parts === undefined)
    throw invalidRequest(
      `The ${field} field must be an ISO 8601 duration in weeks, days, hours, minutes or seconds, such as P90D or PT1H. Months and years differ in length. Given: ${JSON.stringify(quoted(text))}.`,
      field,
    );
  return parts.reduce((sum, part, unit) => sum + Number(part ?? 0) * (unitsMs[unit] ?? 0), 0);
}

/** Writes milliseconds, rounded up to seconds, as an ISO 8601 duration of days, hours, minutes and seconds. */
export function durationText(ms: number): string {
  let remaining = Math.ceil(ms / secondMs);
  const [days, hours, minutes] = [86_400, 3_600, 60].map((seconds) => {
    const count = Math.floor(remaining / seconds);
    remaining -= count * seconds;
    return count;
  });
  const time = [hours && `${hours}H`, minutes && `${minutes}M`, remaining && `${remaining}S`].filter(Boolean).join("");
  const text = `P${days ? `${days}D` : ""}${time === "" ? "" : `T${time}`}`;
  return text === "P" ? "PT0S" : text;
}
