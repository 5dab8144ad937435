const longFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Formats a time for people: 22 November 2026, 19:10 UTC. */
export const formatDate = (date: Date): string => `${longFormat.format(date).replace(" at ", ", ")} UTC`;

const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Formats a day such as 2031-11-28 for people: 28 November 2031. */
export const formatDay = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`));
