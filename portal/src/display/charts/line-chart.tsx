import { ChartDetails } from "./chart-details.tsx";
import classes from "./charts.module.css";
import { type Plot, TimeChart } from "./time-chart.tsx";
import type { BrushRange } from "./use-brush.ts";

export interface LineSeries {
  label: string;
  line: "lineLow" | "lineMain" | "lineHigh" | "lineBefore";
}

export interface LinePlace {
  short: string;
  name: string;
  /** One value for each series; null leaves a gap. */
  values: readonly (number | null)[];
}

interface LineChartProps {
  label: string;
  series: readonly LineSeries[];
  places: readonly LinePlace[];
  heightPx: number;
  valueLabel(value: number | null): string;
  rangeLabel(range: BrushRange): string;
  onBrush?: ((range: BrushRange) => void) | undefined;
}

/** Values over time as lines. A value without neighbours is a dot. */
export function LineChart({ label, series, places, heightPx, valueLabel, rangeLabel, onBrush }: LineChartProps) {
  return (
    <TimeChart
      label={label}
      heightPx={heightPx}
      count={places.length}
      max={Math.max(0, ...places.flatMap(({ values }) => values.map((value) => value ?? 0)))}
      yLabel={valueLabel}
      xLabel={(place) => places[place]?.short ?? ""}
      rangeLabel={rangeLabel}
      onBrush={onBrush}
      details={(place) => (
        <ChartDetails
          title={places[place]?.name ?? ""}
          rows={series.map(({ label: name, line }, index) => ({
            label: name,
            className: classes[line],
            value: valueLabel(places[place]?.values[index] ?? null),
          }))}
        />
      )}
    >
      {(plot) =>
        series.map(({ label: name, line }, index) => (
          <g key={name} className={classes[line]}>
            {runsOf(places.map(({ values }) => values[index] ?? null)).map(({ first, values }) => (
              <Run key={first} plot={plot} first={first} values={values} />
            ))}
          </g>
        ))
      }
    </TimeChart>
  );
}

interface RunOfValues {
  /** The index of the run's first place. */
  first: number;
  values: number[];
}

function Run({ plot, first, values }: RunOfValues & { plot: Plot }) {
  const points = values.map((value, offset) => `${plot.x(first + offset)},${plot.y(value)}`);
  return (
    <>
      {values.length > 1 && <polyline points={points.join(" ")} />}
      {values.map((value, offset) => {
        const place = first + offset;
        return values.length === 1 || plot.isChosen(place) ? (
          <circle key={place} cx={plot.x(place)} cy={plot.y(value)} r={3} />
        ) : null;
      })}
    </>
  );
}

/** Splits values at gaps into runs. */
function runsOf(values: readonly (number | null)[]): RunOfValues[] {
  const runs: RunOfValues[] = [];
  values.forEach((value, place) => {
    if (value === null) return;
    if (place > 0 && values[place - 1] !== null) runs.at(-1)?.values.push(value);
    else runs.push({ first: place, values: [value] });
  });
  return runs;
}
