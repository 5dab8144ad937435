import { ApiError, OperatorError } from "@beatmarket/foundation/errors.ts";
import { InvalidArgumentError, Option } from "commander";
import { versionDates } from "../../access/versions.ts";
import { type EventType, eventTypes, isEventType } from "../../resources/webhooks/event-types.ts";

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const maxMs = 100 * 365 * 86_400_000;

/** Parses a duration such as 30s, 15m, 24h, 90d, 2w or 0 into milliseconds. */
export function parseDuration(text: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhdw])$/.exec(text === "0" ? "0s" : text) ?? [];
  const ms = Number(digits) * (unitMs[unit ?? ""] ?? Number.NaN);
  if (!(ms <= maxMs)) throw new OperatorError("A duration is a number and a unit, such as 30m, 24h, 90d or 2w.");
  return ms;
}

/** Parses a duration from now, a date (midnight UTC) or an ISO 8601 time with its zone. */
export function parseMoment(text: string, now: Date): Date {
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/.test(text)) {
    const date = new Date(text);
    // Date would turn 2027-02-30 into March 2.
    if (
      !Number.isNaN(date.getTime()) &&
      new Date(`${text.slice(0, 10)}T00:00Z`).getUTCDate() === Number(text.slice(8, 10))
    )
      return date;
  } else if (/^\d+[smhdw]$/.test(text)) {
    return new Date(now.getTime() + parseDuration(text));
  }
  throw new OperatorError(
    "It takes a duration from now such as 90d, a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.",
  );
}

/** Wraps a parser so that commander reports its error with the option's name and exit status 2. */
export function reading<Value>(read: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof ApiError) throw new InvalidArgumentError(error.details);
      if (error instanceof OperatorError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}

export function readWholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw new OperatorError("It takes a whole number.");
  return number;
}

export function readEventTypes(text: string): EventType[] {
  const types = text.split(",").map((type) => type.trim());
  const unknown = types.find((type) => !isEventType(type));
  if (unknown !== undefined)
    throw new OperatorError(`"${unknown}" is not an event type. The event types are ${eventTypes.join(", ")}.`);
  return types.filter(isEventType);
}

/** `--api-version`, since `--version` is the program's. */
export const versionOption = (description: string): Option =>
  new Option("--api-version <date>", description).choices(versionDates);
