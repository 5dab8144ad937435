import { locale } from "../../api/locale.ts";
import { zoneName } from "../../display/time-zone.tsx";

const format = new Intl.DateTimeFormat(locale.region, { dateStyle: "medium", timeStyle: "short" });

/** A time in the browser's time zone, with the zone's name: "27 Nov 2026, 18:00 (Europe/Berlin)". */
export const momentText = (at: string): string => `${format.format(new Date(at))} (${zoneName("local")})`;
