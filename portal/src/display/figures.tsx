import classes from "./figures.module.css";

interface FiguresProps {
  /** The accessible name: the subject of the figures. */
  label: string;
  figures: readonly { name: string; value: string }[];
}

/** Large figures in a row, without boxes. */
export const Figures = ({ label, figures }: FiguresProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
  <div role="group" aria-label={label}>
    <dl className={classes.figures}>
      {figures.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </div>
);
