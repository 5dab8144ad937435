import { SimpleGrid } from "@mantine/core";
import { BarChart } from "../../display/charts/bar-chart.tsx";
import { ChartNumbers } from "../../display/charts/chart-numbers.tsx";
import { Legend } from "../../display/charts/legend.tsx";
import { LineChart } from "../../display/charts/line-chart.tsx";
import { outcomes } from "../../display/charts/outcomes.ts";
import { barText, rangeText } from "../../display/time-zone.tsx";
import { Section } from "./section.tsx";

const lines = [
  { label: "p95, previous period", line: "lineBefore" },
  { label: "p50", line: "lineLow" },
  { label: "p95", line: "lineMain" },
  { label: "p99", line: "lineHigh" },
] as const;

const hourMs = 3_600_000;
const startMs = (place: number) => Date.UTC(2026, 10, 22) + place * hourMs;
const names = (place: number) => ({
  short: barText(startMs(place), 3_600, "utc"),
  name: rangeText(startMs(place), startMs(place + 1), "utc"),
});
const wave = (place: number) => Math.round(60 + 40 * Math.sin(place / 3) + 25 * Math.sin(place * 1.7));
const places = Array.from({ length: 48 }, (_, place) => place);
const range = ({ from, to }: { from: number; to: number }) => rangeText(startMs(from), startMs(to + 1), "utc");
const bars = places.map((place) => ({
  ...names(place),
  values: [wave(place), place % 5, place % 7 === 0 ? 18 : 3, place === 30 ? 9 : 0],
  before: wave(place + 4),
}));

export function Charts() {
  return (
    <Section title="Charts">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        <div>
          <BarChart
            label="calls of the example"
            heightPx={160}
            series={outcomes}
            bars={bars}
            rangeLabel={range}
            onBrush={() => {}}
          />
          <ChartNumbers title="Calls of the example" bars={bars} />
        </div>
        <div>
          <LineChart
            label="durations of the example"
            heightPx={160}
            series={lines}
            places={places.map((place) => ({
              ...names(place),
              values: place === 20 ? [null, null, null, null] : [wave(place + 9), 20, wave(place), wave(place) * 1.4],
            }))}
            valueLabel={(value) => (value === null ? "–" : `${Math.round(value)} ms`)}
            rangeLabel={range}
          />
          <Legend entries={lines.map(({ label, line }) => ({ label, mark: line }))} />
        </div>
      </SimpleGrid>
    </Section>
  );
}
