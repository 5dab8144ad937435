// Made on first use, since each takes milliseconds of a server's start.
let longFormat: Intl.DateTimeFormat | undefined;
let dayFormat: Intl.DateTimeFormat | undefined;

/** Formats a time for people: 22 November 2026, 19:10 UTC. */
export function formatDate(date: Date): string {
  longFormat ??= new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return `${longFormat.format(date).replace(" at ", ", ")} UTC`;
}

/** Formats a day such as 2031-11-28 for people: 28 November 2031. */
export function formatDay(day: string): string {
  dayFormat ??= new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return dayFormat.format(new Date(`${day}T00:00:00Z`));
}
