import { Swatch } from "./chart-details.tsx";
import classes from "./charts.module.css";

interface LegendProps {
  /** `mark` is a class of charts.module.css. */
  entries: readonly { label: string; mark: string }[];
}

/** The meanings of a chart's colours. */
export const Legend = ({ entries }: LegendProps) => (
  <div className={classes.legend}>
    {entries.map(({ label, mark }) => (
      <span key={label}>
        <Swatch className={classes[mark]} />
        {label}
      </span>
    ))}
  </div>
);
