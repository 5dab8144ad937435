/** Which part comes first in a date such as 03/04/2019. If only one reading is a valid date, that one is used. */
export type DayOrder = "day-first" | "month-first";

const yearFirst = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/;
const yearLast = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/;
const compact = /^(\d{4})(\d{2})(\d{2})$/;
const yearOnly = /^(\d{4})(?:\.0+)?$/;
const dayNamedMonth = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{4})$/i;
const namedMonthDay = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i;
const namedMonth = /^([a-z]{3,9})\.? (\d{4})$/i;
const time = /^(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i;
const secondsSinceEpoch = /^\d{10}$/;
const millisecondsSinceEpoch = /^\d{13}$/;

const months = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];

/**
 * Reads a date in any usual layout as milliseconds since the epoch, whole seconds, UTC. A missing month or day is the
 * first one; a time without a zone is UTC. Null when it is no date. Pure.
 */
export function parseDate(text: string, order: DayOrder): number | null {
  const given = text.trim();
  if (secondsSinceEpoch.test(given)) return Number(given) * 1000;
  if (millisecondsSinceEpoch.test(given)) return Math.floor(Number(given) / 1000) * 1000;
  const [, dateText, timeText] = /^(.*?\d)(?:[T ](\d{2}:.*))?$/is.exec(given) ?? [];
  if (dateText === undefined) return null;
  const day = parseDay(dateText.trim(), order);
  if (day === null || timeText === undefined) return day;
  const ofDay = parseTime(timeText.trim());
  return ofDay === null ? null : day + ofDay;
}

function parseDay(text: string, order: DayOrder): number | null {
  let match = yearOnly.exec(text);
  if (match !== null) return utc(match[1], "1", "1");
  match = yearFirst.exec(text) ?? compact.exec(text);
  if (match !== null) return utc(match[1], match[2], match[3] ?? "1");
  match = yearLast.exec(text);
  if (match !== null) {
    const dayFirst = utc(match[3], match[2], match[1]);
    const monthFirst = utc(match[3], match[1], match[2]);
    return order === "day-first" ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst);
  }
  match = dayNamedMonth.exec(text);
  if (match !== null) return utc(match[3], monthNumber(match[2]), match[1]);
  match = namedMonthDay.exec(text);
  if (match !== null) return utc(match[3], monthNumber(match[1]), match[2]);
  match = namedMonth.exec(text);
  return match === null ? null : utc(match[2], monthNumber(match[1]), "1");
}

/** Milliseconds since midnight UTC; may be negative or beyond a day where the zone is not UTC. */
function parseTime(text: string): number | null {
  const [, hourText, minuteText, secondText = "0", zone = "Z"] = time.exec(text) ?? [];
  if (hourText === undefined || minuteText === undefined) return null;
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (hour > 24 || minute > 59 || second > 60) return null;
  const [, sign, zoneHours, zoneMinutes = "0"] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  const offsetMinutes = sign === undefined ? 0 : Number(`${sign}1`) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  return ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000;
}

/** "4" for April, apr, …; "" for what is no month. */
function monthNumber(name = ""): string {
  const start = name.toLowerCase();
  const index = months.findIndex((month) => month.startsWith(start) || start === `${month.slice(0, 4)}`);
  return index < 0 ? "" : String(index + 1);
}

/** Null for days that no calendar has. */
function utc(yearText = "", monthText = "", dayText = ""): number | null {
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  if (year < 1 || month < 1) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() : null;
}
