import { SimpleGrid, Text } from "@mantine/core";
import type { components } from "../../api/paths.ts";
import { type Analytics, milliseconds } from "./charts.tsx";

type Outcomes = components["schemas"]["Outcomes"];

const count = new Intl.NumberFormat("en");
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const change = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0, signDisplay: "exceptZero" });
const points = new Intl.NumberFormat("en", { maximumFractionDigits: 1, signDisplay: "exceptZero" });

/** `part` of `total` in percent; a dash for 0 of 0. */
export const share = (part: number, total: number): string => (total === 0 ? "–" : percent.format(part / total));

interface Figure {
  name: string;
  value(outcomes: Outcomes): string;
  /** The change since the previous period; null without data to compare with. */
  change(current: Outcomes, earlier: Outcomes): string | null;
}

const ratio = (current: number | null, earlier: number | null): string | null =>
  current === null || earlier === null || earlier === 0 ? null : change.format(current / earlier - 1);

const ofCalls = (name: string, part: "refusals" | "failures"): Figure => ({
  name,
  value: (outcomes) => share(outcomes[part], outcomes.calls),
  change: (current, earlier) =>
    current.calls === 0 || earlier.calls === 0
      ? null
      : `${points.format(100 * (current[part] / current.calls - earlier[part] / earlier.calls))} points`,
});

const percentile = (name: string, field: "p50_ms" | "p95_ms" | "p99_ms"): Figure => ({
  name,
  value: (outcomes) => milliseconds(outcomes[field]),
  change: (current, earlier) => ratio(current[field], earlier[field]),
});

const figures: readonly Figure[] = [
  {
    name: "Calls",
    value: ({ calls }) => count.format(calls),
    change: (current, earlier) => ratio(current.calls, earlier.calls),
  },
  ofCalls("Refused (4xx)", "refusals"),
  ofCalls("Failed (5xx)", "failures"),
  percentile("p50", "p50_ms"),
  percentile("p95", "p95_ms"),
  percentile("p99", "p99_ms"),
];

/**
 * The figures of the whole time, and the change since the previous period. The comparison leaves out an incomplete bar.
 */
export function Totals({ analytics: { total, before } }: { analytics: Analytics }) {
  const isCompared = before !== null && before.earlier.calls > 0;
  const comparisonText = isCompared
    ? "Compared with the previous period of the same length, without the bar that is not over yet."
    : "There are no calls in the previous period to compare with.";
  return (
    <div>
      <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: 6 }} spacing="lg" m={0}>
        {figures.map((figure) => (
          <div key={figure.name}>
            <Text component="dt" size="xs" c="dimmed">
              {figure.name}
            </Text>
            <Text component="dd" m={0} fz={22} lh="28px" fw={600}>
              {figure.value(total)}
            </Text>
            {isCompared && (
              <Text
                component="dd"
                m={0}
                size="xs"
                c="dimmed"
                title={`${figure.value(before.earlier)} in the previous period`}
              >
                {figure.change(before.now, before.earlier) ?? "–"}
              </Text>
            )}
          </div>
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt="xs">
        {before === null
          ? "The counts of the previous period are not kept in this detail, so there is nothing to compare with."
          : comparisonText}
      </Text>
    </div>
  );
}
