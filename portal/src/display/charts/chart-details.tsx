import classes from "./charts.module.css";

interface ChartDetailsProps {
  title: string;
  rows: readonly { label: string; className: string | undefined; value: string }[];
}

/** The tooltip of one place in a chart, with its numbers. */
export const ChartDetails = ({ title, rows }: ChartDetailsProps) => (
  <>
    <div className={classes.title}>{title}</div>
    {rows.map(({ label, className, value }) => (
      <div key={label} className={classes.row}>
        <Swatch className={className} />
        <span>{label}</span>
        <strong>{value}</strong>
      </div>
    ))}
  </>
);

/** The colour of a series, as a bar. */
export const Swatch = ({ className }: { className: string | undefined }) => (
  <svg width={8} height={12} aria-hidden className={classes.swatch}>
    <rect className={className} width={8} height={12} rx={3} />
  </svg>
);
