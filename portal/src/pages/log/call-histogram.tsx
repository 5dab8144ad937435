import { Button, Group, SegmentedControl, Skeleton, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";
import { type Bar, BarChart } from "../../display/charts/bar-chart.tsx";
import { ChartNumbers } from "../../display/charts/chart-numbers.tsx";
import { outcomes } from "../../display/charts/outcomes.ts";
import { barText, rangeText, type TimeZone, useTimeZone } from "../../display/time-zone.tsx";
import { type CallSearch, type Change, filtersOf, queryOf, type TimeRange, timeRangesMs } from "./call-search.ts";

type Histogram = components["schemas"]["CallHistogram"];

const heightPx = 112;
const livePollMs = 10_000;

interface CallHistogramProps {
  search: CallSearch;
  isLive: boolean;
  onChange: (change: Change) => void;
}

/** The number of calls over the chosen time, by outcome. Brushing narrows the time. */
export function CallHistogram({ search, isLive, onChange }: CallHistogramProps) {
  const filters = filtersOf(search);
  const [zone] = useTimeZone();
  const histogram = useQuery({
    queryKey: ["call-histogram", filters],
    queryFn: ({ signal }) => unwrap(api.GET("/calls/histogram", { params: { query: queryOf(filters) }, signal })),
    refetchInterval: isLive && filters.to === undefined ? livePollMs : false,
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label="Calls over time">
      <TimeChoice search={search} onChange={onChange} zone={zone} />
      {histogram.data !== undefined ? (
        <Chart histogram={histogram.data} zone={zone} onChange={onChange} />
      ) : histogram.isError ? (
        <Group gap="sm" h={heightPx} role="alert">
          <Text size="sm">The calls over time could not be counted.</Text>
          <Button size="compact-sm" variant="default" onClick={() => histogram.refetch()}>
            Try again
          </Button>
        </Group>
      ) : (
        <Skeleton height={heightPx + 24} aria-hidden />
      )}
    </section>
  );
}

const rangeLabels: Record<TimeRange, string> = { "15m": "15 min", "1h": "1 h", "24h": "24 h", "7d": "7 days" };
/** The choice of all 30 days for which the log keeps calls. */
const everything = "all";

function TimeChoice({ search, onChange, zone }: Omit<CallHistogramProps, "isLive"> & { zone: TimeZone }) {
  const { last, from, to } = search;
  const isBetween = from !== undefined || to !== undefined;
  const choose = (value: string) =>
    onChange({ last: value === everything ? undefined : (value as TimeRange), from: undefined, to: undefined });
  return (
    <Group gap="xs" mb="xs">
      <SegmentedControl
        size="xs"
        aria-label="Time"
        value={isBetween ? "" : (last ?? everything)}
        data={[
          ...(Object.keys(timeRangesMs) as TimeRange[]).map((value) => ({ value, label: rangeLabels[value] })),
          { value: everything, label: "30 days" },
        ]}
        onChange={choose}
      />
      {isBetween && (
        <Button
          size="compact-sm"
          variant="light"
          rightSection={<IconX size={14} />}
          onClick={() => choose(everything)}
          aria-label={`Time: ${betweenText(from, to, zone)}. Show all 30 days`}
        >
          {betweenText(from, to, zone)}
        </Button>
      )}
    </Group>
  );
}

function betweenText(from: string | undefined, to: string | undefined, zone: TimeZone): string {
  if (from !== undefined && to !== undefined) return rangeText(Date.parse(from), Date.parse(to), zone);
  const [word, time] = from === undefined ? ["until", to] : ["since", from];
  const ms = Date.parse(time ?? "");
  return `${word} ${rangeText(ms, ms, zone).replace(/ – .*/, "")}`;
}

interface ChartProps {
  histogram: Histogram;
  zone: TimeZone;
  onChange: (change: Change) => void;
}

function Chart({ histogram, zone, onChange }: ChartProps) {
  const { bar_seconds: barSeconds, counted_from: countedFrom } = histogram;
  const startMs = (place: number) => Date.parse(histogram.from) + place * barSeconds * 1000;
  const bars: Bar[] = histogram.bars.map((bar, place) => ({
    short: barText(startMs(place), barSeconds, zone),
    name: rangeText(startMs(place), startMs(place + 1), zone),
    values: outcomes.map(({ name }) => bar[name]),
  }));
  return (
    <>
      <BarChart
        label="calls over time"
        heightPx={heightPx}
        series={outcomes}
        bars={bars}
        rangeLabel={({ from, to }) => rangeText(startMs(from), startMs(to + 1), zone)}
        onBrush={({ from, to }) =>
          onChange({
            last: undefined,
            from: new Date(startMs(from)).toISOString(),
            // A range to the last bar, which is not complete, has no end, so that a live list stays live.
            to:
              to === bars.length - 1 && startMs(to + 1) > Date.now()
                ? undefined
                : new Date(startMs(to + 1)).toISOString(),
          })
        }
      />
      <ChartNumbers title="Calls over time" bars={bars} />
      {countedFrom !== null && (
        <Text size="xs" c="dimmed" role="status">
          Counted back to {betweenText(countedFrom, undefined, zone).replace("since ", "")}; choose a shorter time to
          count the rest.
        </Text>
      )}
    </>
  );
}
