const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** A time of a sandbox's clock, in UTC. */
export const ClockTime = ({ at }: { at: string }) => <time dateTime={at}>{format.format(new Date(at))} UTC</time>;
