import { locale } from "../../api/locale.ts";
import { zoneName } from "../../display/time-zone.tsx";

const format = new Intl.DateTimeFormat(locale.region, { dateStyle: "medium", timeStyle: "short" });

/** A moment in the browser's zone, which it names: "27 Nov 2026, 18:00 (Europe/Berlin)". */
export const momentText = (at: string): string => `${format.format(new Date(at))} (${zoneName("local")})`;
