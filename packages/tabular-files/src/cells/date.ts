import { withAsciiDigits } from "@beatmarket/foundation/text/read-number.ts";

/** Languages of month names. No name means different months in two of these languages. */
const languages = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "sv",
  "da",
  "nb",
  "fi",
  "pl",
  "cs",
  "tr",
  "ru",
  "uk",
  "hu",
  "ro",
];

let numbers: ReadonlyMap<string, number> | undefined;

/**
 * The number of a month from its name, or from its usual abbreviation in a spreadsheet, in one of `languages`. Null for
 * other texts.
 */
function monthNumber(name: string): number | null {
  numbers ??= monthNumbers();
  return numbers.get(keyOf(name)) ?? null;
}

function monthNumbers(): Map<string, number> {
  const byName = new Map<string, number>();
  for (const language of languages)
    for (const month of ["long", "short"] as const)
      for (const day of [undefined, "numeric"] as const) {
        const format = new Intl.DateTimeFormat(language, { month, day, timeZone: "UTC" });
        for (let index = 0; index < 12; index++) {
          const name =
            format.formatToParts(Date.UTC(2019, index, 15)).find(({ type }) => type === "month")?.value ?? "";
          if (!byName.has(keyOf(name))) byName.set(keyOf(name), index + 1);
        }
      }
  byName.set("sept", 9);
  return byName;
}

const keyOf = (name: string): string => name.normalize("NFC").toLowerCase().replace(/\.$/, "");

/**
 * The order of day and month in a date such as 03/04/2019. If only one order gives a valid date, that order is used.
 */
export type DayOrder = "day-first" | "month-first";

const dayMs = 24 * 3600 * 1000;
const isoDay = /^(\d{4})-(\d{2})-(\d{2})$/;
const yearFirst = /^(\d{4})[-/.] ?(\d{1,2})(?:[-/.] ?(\d{1,2}))?\.?$/;
const yearLast = /^(\d{1,2})([-/.]) ?(\d{1,2})([-/.]) ?(\d{4}|\d{2})\.?$/;
const compact = /^(\d{4})(\d{2})(\d{2})$/;
const compactTime = /^(\d{8})(\d{2})(\d{2})(\d{2})$/;
/** 20190614T102030Z, the basic format of ISO 8601. */
const basicTime = /^(\d{8})T(\d{2})(\d{2})(\d{2})?(?=$|[Z+-])/i;
const eastAsian = /(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]/;
const yearOnly = /^(\d{4})(?:\.0+)?$/;
/** 90s, 1990s. The date is the first day of the decade. */
const decade = /^(?:(\d{2})(\d0)|'?(\d0))'?s$/i;
const dayNamedMonth =
  /^(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[ -]?(?:de |di )?(\p{L}{3,12})\.?,?(?: de)?[ -](\d{4}|\d{2})(?: г\.?| года)?$/iu;
const namedMonthDay = /^(\p{L}{3,12})\.?[ -](\d{1,2})(?:st|nd|rd|th)?,?[ -](\d{4})$/iu;
/** Excel writes Jun-19 for a month, and 19-Jun for a day. */
const namedMonth = /^(\p{L}{3,12})\.?(?:,?[ -](\d{4})|-(\d{2}))$/iu;
/** A weekday. Does not match a word before a bare year: it may be a season or an unknown month. */
const weekday = /^\p{L}{2,12}\.?,? (?=\p{L}|\d)(?!\d+$)/u;
const time =
  /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s?(?:([ap])\.?\s?m\.?)?\s?(Z|(?:UTC|GMT)?(?:[+-](?:0?\d|1[0-4])(?::?[0-5]\d)?)?|[ECMP][SD]T)?(?: \(.*\)|\[.*\])?$/i;
/** A day, followed by a time. */
const dayAndTime = /^(.*?\d\.?)(?:,? at |[T,]? ?| um )(?<=[T ,])(\d{1,2}[:.]\d{2}(?:$|[^\d/].*|\d*[:].*))$/is;
/** Fri Jun 14 10:20:30 2019, the format of the C library. */
const timeBeforeYear = /^(\p{L}+ +\d{1,2}) (\d{1,2}:\d{2}:\d{2}) (\d{4})$/u;
const americanZoneHours: Record<string, number> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};
/** The time since 1970 in seconds, milliseconds, microseconds or nanoseconds. */
const sinceEpoch = /^(\d{9,10})(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?$/;
/** Days since 30 December 1899, as Excel, Sheets and LibreOffice count them: from 1927 to 2173. */
const serialDay = /^([1-9]\d{4})([.,]\d+)?$/;
const serialStartMs = Date.UTC(1899, 11, 30);

/**
 * Parses a date in any common format as Unix milliseconds, in whole seconds. A missing month or day is the first. A
 * time without a zone is UTC. Null for other texts. Pure.
 */
export function parseDate(text: string, order: DayOrder): number | null {
  const day = isoDay.exec(text);
  if (day !== null) return utc(day[1], day[2], day[3]);
  const cleaned = withAsciiDigits(text)
    .replace(/\p{Cf}/gu, "")
    .trim()
    .replace(/\s+/g, " ");
  return parseOther(cleaned.replace(eastAsian, "$1-$2-$3").replace(basicTime, basicToExtended), order);
}

const basicToExtended = (_text: string, day: string, hour: string, minute: string, second = "00"): string =>
  `${day}T${hour}:${minute}:${second}`;

function parseOther(text: string, order: DayOrder): number | null {
  if (/^\d+([.,]\d+)?$/.test(text)) return parseNumber(text);
  const withoutWeekday = text.replace(weekday, (name) => (isMonth(name) ? name : ""));
  const reordered = withoutWeekday.replace(timeBeforeYear, "$1 $3 $2");
  const [, dayText, timeText] = dayAndTime.exec(reordered) ?? [];
  if (dayText === undefined || timeText === undefined) return parseDay(reordered, order);
  const dayStart = parseDay(dayText.trim(), order);
  const sinceMidnight = parseTime(timeText.trim());
  return dayStart === null || sinceMidnight === null ? null : dayStart + sinceMidnight;
}

const isMonth = (name: string): boolean => monthNumber(name.replace(/[., ]/g, "")) !== null;

/** Whether a date in digits must be month-first, because its second number is above 12. */
export const isMonthFirst = (text: string): boolean =>
  /^\s*(0?[1-9]|1[0-2])[-/.] ?(1[3-9]|2\d|3[01])[-/.] ?(\d{4}|\d{2})\b/.test(text);

function parseNumber(text: string): number | null {
  let match = yearOnly.exec(text);
  if (match !== null) return utc(match[1], "1", "1");
  match = compact.exec(text);
  if (match !== null) return utc(match[1], match[2], match[3]);
  match = serialDay.exec(text);
  if (match !== null) {
    const seconds = Math.round((Number(`0${match[2] ?? ""}`.replace(",", ".")) * dayMs) / 1000);
    return serialStartMs + Number(match[1]) * dayMs + seconds * 1000;
  }
  match = compactTime.exec(text);
  if (match !== null) {
    const [, day = "", hour, minute, second] = match;
    const dayStart = parseNumber(day);
    const sinceMidnight = parseTime(`${hour}:${minute}:${second}`);
    if (dayStart !== null && sinceMidnight !== null) return dayStart + sinceMidnight;
  }
  match = sinceEpoch.exec(text);
  return match === null ? null : Number(match[1]) * 1000;
}

function parseDay(text: string, order: DayOrder): number | null {
  if (/^\d+$/.test(text)) return parseNumber(text);
  let match = yearFirst.exec(text);
  if (match !== null) return utc(match[1], match[2], match[3] ?? "1");
  match = yearLast.exec(text);
  if (match !== null && match[2] === match[4]) {
    const first = match[1];
    const second = match[3];
    const year = match[5];
    const dayFirst = utc(year, second, first);
    const monthFirst = utc(year, first, second);
    return order === "day-first" ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst);
  }
  match = dayNamedMonth.exec(text);
  if (match !== null) return utc(match[3], numberOf(match[2]), match[1]);
  match = namedMonthDay.exec(text);
  if (match !== null) return utc(match[3], numberOf(match[1]), match[2]);
  match = namedMonth.exec(text);
  if (match !== null) return utc(match[2] ?? match[3], numberOf(match[1]), "1");
  match = decade.exec(text);
  if (match === null) return null;
  const [, century, decadeOfCentury, short = "00"] = match;
  const shortCentury = Number(short) < 30 ? 20 : 19;
  return utc(century === undefined ? `${shortCentury}${short}` : `${century}${decadeOfCentury}`, "1", "1");
}

/**
 * Milliseconds since midnight UTC. In another zone than UTC they may be negative or exceed a day. Null for a text that
 * is not a time.
 */
function parseTime(text: string): number | null {
  const [, hourText, minuteText, secondText = "0", half, zone = ""] = time.exec(text) ?? [];
  if (hourText === undefined || minuteText === undefined) return null;
  const hourAsWritten = Number(hourText);
  const minute = Number(minuteText);
  const second = Number(secondText);
  if (
    hourAsWritten > 24 ||
    minute > 59 ||
    second > 60 ||
    (half !== undefined && (hourAsWritten < 1 || hourAsWritten > 12))
  )
    return null;
  const hour = half === undefined ? hourAsWritten : (hourAsWritten % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const american = americanZoneHours[zone.toUpperCase()] ?? 0;
  const [, sign, zoneHours, zoneMinutes = "0"] = /([+-])(\d{1,2}?):?(\d{2})?$/.exec(zone) ?? [];
  const offsetMinutes =
    sign === undefined ? american * 60 : Number(`${sign}1`) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  return ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000;
}

/** The number of a month as text; "" if the name is not a month. */
const numberOf = (name = ""): string => String(monthNumber(name) ?? "");

/** Returns null for a day that does not exist. A year of two digits is from 1969 to 2068. */
function utc(yearText = "", monthText = "", dayText = ""): number | null {
  const yearAsWritten = Number(yearText);
  const month = Number(monthText);
  const day = Number(dayText);
  const year = yearText.length === 2 ? yearAsWritten + (yearAsWritten < 69 ? 2000 : 1900) : yearAsWritten;
  if (year < 1 || month < 1) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() : null;
}
