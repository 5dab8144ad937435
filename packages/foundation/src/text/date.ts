const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** A time as people read it: 22 November 2026, 19:10 UTC. */
export const dateInWords = (date: Date): string => `${words.format(date).replace(" at ", ", ")} UTC`;
