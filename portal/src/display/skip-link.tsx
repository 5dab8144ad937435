import classes from "./skip-link.module.css";

/**
 * A link to a part of the page, visible only while it has the focus. It lets keyboard users skip the content before
 * that part.
 */
export const SkipLink = ({ to, children }: { to: string; children: string }) => (
  <a href={`#${to}`} className={classes.skip}>
    {children}
  </a>
);
