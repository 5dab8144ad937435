import classes from "./skip-link.module.css";

/** Seen while it has the focus: leads the keyboard past what stands before a part of the page. */
export const SkipLink = ({ to, children }: { to: string; children: string }) => (
  <a href={`#${to}`} className={classes.skip}>
    {children}
  </a>
);
