import { SegmentedControl } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { locale, t } from "../api/locale.ts";

/** The zone of displayed times: the browser's or UTC. */
export type TimeZone = "local" | "utc";

/** The chosen zone, which the browser remembers, and a function that changes it. */
export const useTimeZone = () =>
  useLocalStorage<TimeZone>({
    key: "beatmarket-time-zone",
    defaultValue: "local",
    getInitialValueInEffect: false,
    deserialize: (value) => (value === "utc" ? "utc" : "local"),
    serialize: (value) => value,
  });

/** A switch between the browser's zone and UTC. */
export function TimeZoneSwitch() {
  const [zone, setZone] = useTimeZone();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("ui.timeZone")}
      value={zone}
      onChange={(value) => setZone(value as TimeZone)}
      data={[
        { value: "local", label: t("ui.local") },
        { value: "utc", label: "UTC" },
      ]}
    />
  );
}

/** The name of a zone: "UTC", or for example "Europe/Berlin". */
export const zoneName = (zone: TimeZone): string =>
  zone === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: TimeZone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone}${JSON.stringify(options)}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale.region, { ...options, ...(zone === "utc" && { timeZone: "UTC" }) });
  formats.set(key, format);
  return format;
}

const day = { day: "numeric", month: "short" } as const;
const clock = { hour: "2-digit", minute: "2-digit" } as const;

/** "23 Nov" */
export const dayText = (at: string, zone: TimeZone): string => formatOf(zone, day).format(new Date(at));

/** "10:15:03.123" */
export const clockText = (at: string, zone: TimeZone): string =>
  formatOf(zone, { ...clock, second: "2-digit", fractionalSecondDigits: 3 }).format(new Date(at));

const dayMs = 86_400_000;

/** A short label of a bar's start. Bars of whole days begin at midnight UTC, so their labels are dates in UTC. */
export function barText(startMs: number, barSeconds: number, zone: TimeZone): string {
  const labelZone = barSeconds >= 86_400 ? "utc" : zone;
  if (barSeconds >= 86_400) return formatOf(labelZone, day).format(startMs);
  if (barSeconds < 60) return formatOf(labelZone, { ...clock, second: "2-digit" }).format(startMs);
  return barSeconds < 3_600
    ? formatOf(labelZone, clock).format(startMs)
    : formatOf(labelZone, { weekday: "short", ...clock }).format(startMs);
}

/** The time range of bars: "23 Nov, 10:15 – 10:30". Whole days are dates in UTC. */
export function rangeText(fromMs: number, toMs: number, zone: TimeZone): string {
  const isDays = fromMs % dayMs === 0 && toMs % dayMs === 0;
  if (isDays && toMs - fromMs >= dayMs) {
    const [first, last] = [formatOf("utc", day).format(fromMs), formatOf("utc", day).format(toMs - 1)];
    return `${first === last ? first : `${first} – ${last}`} (UTC)`;
  }
  const hasSeconds = fromMs % 60_000 !== 0 || toMs % 60_000 !== 0;
  const options = { ...clock, ...(hasSeconds && { second: "2-digit" as const }) };
  const [firstDay, lastDay] = [formatOf(zone, day).format(fromMs), formatOf(zone, day).format(toMs)];
  const until = formatOf(zone, options).format(toMs);
  return `${firstDay}, ${formatOf(zone, options).format(fromMs)} – ${firstDay === lastDay ? until : `${lastDay}, ${until}`}`;
}
