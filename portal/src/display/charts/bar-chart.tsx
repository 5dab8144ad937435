import { ChartDetails } from "./chart-details.tsx";
import classes from "./charts.module.css";
import { type Plot, TimeChart } from "./time-chart.tsx";
import type { BrushRange } from "./use-brush.ts";

/** One series of a bar chart. Series are stacked in order, from the bottom. */
export interface BarSeries {
  label: string;
  tone: Tone;
}

/** `quiet` is for normal outcomes: grey, or violet in a chosen bar. */
export type Tone = "quiet" | "faint" | "refused" | "failed";

export interface Bar {
  /** A short label of the bar's start. */
  short: string;
  /** A label of the bar's whole time range. */
  name: string;
  /** One value for each series. */
  values: readonly number[];
  /** The sum of the same bar in the previous period, drawn in the background. */
  before?: number | undefined;
}

interface BarChartProps {
  label: string;
  series: readonly BarSeries[];
  bars: readonly Bar[];
  heightPx: number;
  /** The label of a range that the brush selects. */
  rangeLabel?: ((range: BrushRange) => string) | undefined;
  onBrush?: ((range: BrushRange) => void) | undefined;
}

const count = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact" });
const maxBarPx = 14;
const gapPx = 1;

const sumOf = ({ values }: Bar): number => values.reduce((sum, value) => sum + value, 0);

/** Counts over time as the bars of a waveform. */
export function BarChart({ label, series, bars, heightPx, rangeLabel, onBrush }: BarChartProps) {
  const max = Math.max(0, ...bars.map((bar) => Math.max(sumOf(bar), bar.before ?? 0)));
  return (
    <TimeChart
      label={label}
      heightPx={heightPx}
      count={bars.length}
      max={max}
      yLabel={(value) => (Number.isInteger(value) ? compact.format(value) : "")}
      xLabel={(place) => bars[place]?.short ?? ""}
      rangeLabel={rangeLabel}
      onBrush={onBrush}
      details={(place) => {
        const bar = bars[place];
        return bar === undefined ? null : <BarDetails bar={bar} series={series} />;
      }}
    >
      {(plot) =>
        bars.map((bar, place) => (
          <g key={bar.name}>
            {bar.before !== undefined && bar.before > 0 && <Before plot={plot} place={place} value={bar.before} />}
            <Stack plot={plot} place={place} values={bar.values} series={series} />
          </g>
        ))
      }
    </TimeChart>
  );
}

function Before({ plot, place, value }: { plot: Plot; place: number; value: number }) {
  const width = Math.max(1, Math.min(maxBarPx + 8, plot.stepPx - 1));
  const y = plot.y(value);
  return (
    <rect
      className={classes.before}
      x={plot.x(place) - width / 2}
      y={y}
      width={width}
      height={plot.bottomPx - y}
      rx={Math.min(4, width / 2)}
    />
  );
}

interface StackProps {
  plot: Plot;
  place: number;
  values: readonly number[];
  series: readonly BarSeries[];
}

function Stack({ plot, place, values, series }: StackProps) {
  const width = Math.max(1, Math.min(maxBarPx, plot.stepPx * 0.55));
  let bottom = plot.bottomPx;
  return series.map(({ label, tone }, index) => {
    const value = values[index] ?? 0;
    if (value === 0) return null;
    // The minimum height keeps a single failure among thousands visible.
    const height = Math.max(2, plot.bottomPx - plot.y(value));
    bottom -= height;
    return (
      <rect
        key={label}
        className={classes[tone]}
        data-chosen={plot.isChosen(place) || undefined}
        x={plot.x(place) - width / 2}
        y={bottom}
        width={width}
        height={Math.max(1, height - gapPx)}
        rx={Math.min(3, width / 2)}
      />
    );
  });
}

function BarDetails({ bar, series }: { bar: Bar; series: readonly BarSeries[] }) {
  const rows = series.map(({ label, tone }, index) => ({
    label,
    className: classes[tone],
    value: count.format(bar.values[index] ?? 0),
  }));
  return (
    <ChartDetails
      title={bar.name}
      rows={[
        ...rows,
        ...(bar.before === undefined
          ? []
          : [{ label: "Previous period", className: classes.before, value: count.format(bar.before) }]),
      ]}
    />
  );
}
