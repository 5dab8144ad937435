import { Text } from "@mantine/core";
import { clockText, dayText, useTimeZone } from "./time-zone.tsx";

/** A time to the millisecond, in the zone that the user chose. With `dayClass` a narrow column can hide the day. */
export function ExactTime({ at, dayClass }: { at: string; dayClass?: string | undefined }) {
  const [zone] = useTimeZone();
  return (
    <Text component="time" dateTime={at} title={at} inherit ff="monospace" style={{ whiteSpace: "nowrap" }}>
      <span className={dayClass}>{dayText(at, zone)} </span>
      {clockText(at, zone)}
    </Text>
  );
}
