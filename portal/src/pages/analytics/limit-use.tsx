import { Badge, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import type { Analytics } from "./charts.tsx";
import classes from "./limit-use.module.css";
import { Part } from "./part.tsx";

const count = new Intl.NumberFormat("en");

const windows = [
  { name: "minute", plural: "minutes" },
  { name: "hour", plural: "hours" },
  { name: "day", plural: "days" },
] as const;

/** Each key's use of the three limits over time, and the refused calls. */
export function LimitUse({ analytics }: { analytics: Analytics }) {
  return (
    <Part
      title="Use of limits"
      note="Admitted calls in each minute, hour and day of the clock, the newest on the right. The limits count in sliding windows, and such a window may have had more calls than any bar."
    >
      <Stack gap="lg">
        {analytics.limits.map(({ key, plan, admitted, allowed, busiest, use, refused }) => (
          <div key={key.id}>
            <Group justify="space-between" gap="xs" mb="xs">
              <Text size="sm" fw={600} dir="auto" style={{ overflowWrap: "anywhere" }}>
                {key.name} …{key.ends_with}{" "}
                <Badge component="span" variant="light" color="gray" size="sm" radius="sm" tt="none">
                  {plan}
                </Badge>
              </Text>
              <Text size="xs" c="dimmed">
                {count.format(admitted)} admitted
              </Text>
            </Group>
            <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
              {windows.map(({ name, plural }) => (
                <WindowUse
                  key={name}
                  name={name}
                  plural={plural}
                  allowed={allowed[name]}
                  busiest={busiest[name]}
                  use={use[name]}
                  refused={refused[name]}
                />
              ))}
            </SimpleGrid>
          </div>
        ))}
      </Stack>
    </Part>
  );
}

interface WindowUseProps {
  name: string;
  plural: string;
  /** The limit; null if there is none. */
  allowed: number | null;
  /** The largest count; null if the counts of the time range have been deleted. */
  busiest: number | null;
  /** The counts, oldest first. */
  use: readonly number[];
  refused: number;
}

function WindowUse({ name, plural, allowed, busiest, use, refused }: WindowUseProps) {
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed">
          Busiest {name}
        </Text>
        <Text size="xs">
          {busiest === null ? "not kept" : count.format(busiest)}{" "}
          {allowed === null ? "" : `of ${count.format(allowed)}`}
        </Text>
      </Group>
      <Waveform use={use} top={Math.max(1, allowed ?? 0, busiest ?? 0)} allowed={allowed} />
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed">
          {use.length === 1 && `1 ${name}`}
          {use.length > 1 && `${use.length} ${plural}`}
          {allowed === null && ", no limit"}
        </Text>
        {refused > 0 && (
          <Text size="xs" fw={600} className={classes.refused}>
            {count.format(refused)} refused
          </Text>
        )}
      </Group>
    </div>
  );
}

const heightPx = 36;
/** The maximum distance from a bar to the next, so that few bars still look like bars. */
const maxStep = 12;

function barClass(calls: number, allowed: number | null): string | undefined {
  if (calls === 0) return classes.none;
  return allowed !== null && calls >= allowed * 0.8 ? classes.near : classes.use;
}

/** Draws the use as bars. The top edge is the limit, or the busiest count if it is larger. */
function Waveform({ use, top, allowed }: { use: readonly number[]; top: number; allowed: number | null }) {
  const step = Math.min(maxStep, 240 / Math.max(1, use.length));
  return (
    <svg
      className={classes.waveform}
      viewBox={`0 0 240 ${heightPx}`}
      height={heightPx}
      preserveAspectRatio="none"
      aria-hidden
    >
      {use.map((calls, index) => {
        const height = calls === 0 ? 1 : Math.max(3, (calls / top) * heightPx);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: places in time
            key={index}
            x={240 - (use.length - index) * step}
            y={heightPx - height}
            width={Math.max(0.8, step * 0.62)}
            height={height}
            rx={Math.min(2, step * 0.3)}
            className={barClass(calls, allowed)}
          />
        );
      })}
    </svg>
  );
}
