import { useElementSize } from "@mantine/hooks";
import { type PointerEvent, type ReactNode, useState } from "react";
import classes from "./charts.module.css";
import { labelledPlaces, roundTicks } from "./scale.ts";
import { type BrushEnd, type BrushRange, useBrush } from "./use-brush.ts";

const axisPx = 44;
/** The height of the row of labels below the axis. */
const labelRowPx = 20;
const topPx = 6;
/** The width of a label below the axis. */
const labelPx = 78;

/**
 * The coordinates of a chart: pixels from its left and top edges. A place is the index of a bar, or of a point of each
 * line.
 */
export interface Plot {
  /** The middle of a place. */
  x(place: number): number;
  y(value: number): number;
  stepPx: number;
  bottomPx: number;
  /** Whether the place is in the range of the brush. Without a range, whether the pointer is over the place. */
  isChosen(place: number): boolean;
}

interface TimeChartProps {
  /** The accessible name. */
  label: string;
  heightPx: number;
  /** The number of places. */
  count: number;
  /** The largest value that is drawn. */
  max: number;
  yLabel(value: number): string;
  /** A short label of a place's start, below the axis. */
  xLabel(place: number): string;
  /** The label of the range that the brush selects. */
  rangeLabel?: ((range: BrushRange) => string) | undefined;
  /** The content of a place's tooltip. */
  details(place: number): ReactNode;
  /** Makes the chart brushable. */
  onBrush?: ((range: BrushRange) => void) | undefined;
  children(plot: Plot): ReactNode;
}

/**
 * The frame of a chart over time: axes, tooltip and brush. Time runs from left to right in every writing direction. The
 * page has the numbers in a table, for screen readers.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, heightPx, count, max, yLabel, xLabel, rangeLabel = () => "", details, onBrush, children } = props;
  const { ref, width } = useElementSize();
  const [hovered, setHovered] = useState<number | null>(null);
  const brush = useBrush(count, onBrush);
  const ticks = roundTicks(max);
  const topValue = ticks.at(-1) || 1;
  const bottomPx = heightPx - labelRowPx;
  const stepPx = Math.max(0, width - axisPx) / Math.max(1, count);
  const plot: Plot = {
    x: (place) => axisPx + (place + 0.5) * stepPx,
    y: (value) => bottomPx - (Math.min(value, topValue) / topValue) * (bottomPx - topPx),
    stepPx,
    bottomPx,
    isChosen: (place) =>
      brush.range === null ? place === hovered : place >= brush.range.from && place <= brush.range.to,
  };
  const placeOf = ({ clientX, currentTarget }: PointerEvent) => {
    const left = currentTarget.getBoundingClientRect().left + axisPx;
    return Math.max(0, Math.min(count - 1, Math.floor((clientX - left) / (stepPx || 1))));
  };
  const edge = (end: BrushEnd) => {
    const place = brush.range?.[end] ?? (end === "from" ? 0 : count - 1);
    return axisPx + (end === "from" ? place : place + 1) * stepPx;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: no group of fields
    <div ref={ref} className={classes.chart} style={{ height: heightPx }} dir="ltr" role="group" aria-label={label}>
      {width > 0 && (
        <svg
          width={width}
          height={heightPx}
          aria-hidden
          className={onBrush === undefined ? classes.plot : `${classes.plot} ${classes.brushed}`}
          onPointerDown={(event) => brush.pointer.down(event, placeOf(event))}
          onPointerMove={(event) => {
            setHovered(placeOf(event));
            brush.pointer.move(placeOf(event));
          }}
          onPointerUp={brush.pointer.up}
          onPointerCancel={brush.pointer.cancel}
          onPointerLeave={() => setHovered(null)}
        >
          {ticks.map((tick) => (
            <g key={tick}>
              <line className={classes.grid} x1={axisPx} x2={width} y1={plot.y(tick)} y2={plot.y(tick)} />
              <text className={classes.axis} x={axisPx - 8} y={plot.y(tick)} dy="0.32em" textAnchor="end">
                {yLabel(tick)}
              </text>
            </g>
          ))}
          {brush.range !== null && (
            <rect
              className={classes.selection}
              x={edge("from")}
              width={edge("to") - edge("from")}
              y={topPx - 4}
              height={bottomPx - topPx + 4}
              rx={4}
            />
          )}
          {children(plot)}
          {labelledPlaces(count, stepPx, labelPx).map((place) => (
            <text key={place} className={classes.axis} x={axisPx + place * stepPx} y={heightPx - 4}>
              {xLabel(place)}
            </text>
          ))}
        </svg>
      )}
      {onBrush !== undefined &&
        (["from", "to"] as const).map((end) => (
          <div
            key={end}
            className={classes.handle}
            data-shown={brush.range !== null || undefined}
            style={{ left: edge(end), height: bottomPx }}
            role="slider"
            tabIndex={0}
            aria-label={`${end === "from" ? "Start" : "End"} of the time to narrow ${label} to`}
            aria-valuemin={0}
            aria-valuemax={Math.max(0, count - 1)}
            aria-valuenow={brush.range?.[end] ?? (end === "from" ? 0 : Math.max(0, count - 1))}
            aria-valuetext={rangeLabel(brush.range ?? { from: 0, to: count - 1 })}
            onKeyDown={(event) => brush.onKeyDown(event, end)}
          />
        ))}
      {brush.range !== null && (
        <div className={classes.hint} style={hintSide((edge("from") + edge("to")) / 2, width)}>
          {rangeLabel(brush.range)}
          {!brush.isDragging && (
            <span className={classes.keys}>
              <kbd>Enter</kbd> narrows to it, <kbd>Esc</kbd> cancels
            </span>
          )}
        </div>
      )}
      {hovered !== null && hovered < count && brush.range === null && (
        <div className={classes.tooltip} style={tooltipSide(plot.x(hovered), width)} aria-hidden>
          {details(hovered)}
        </div>
      )}
    </div>
  );
}

const gapPx = 12;

const tooltipSide = (x: number, width: number) => (x > width / 2 ? { right: width - x + gapPx } : { left: x + gapPx });

const hintSide = (x: number, width: number) => (x > width / 2 ? { right: 0 } : { left: axisPx });
