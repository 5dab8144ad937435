const longFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Formats a time for people: 22 November 2026, 19:10 UTC. */
export const formatDate = (date: Date): string => `${longFormat.format(date).replace(" at ", ", ")} UTC`;
