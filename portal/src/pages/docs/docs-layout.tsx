import groups from "virtual:docs-contents";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import classes from "./docs.module.css";

/** A document next to the list of all documents. The list is collapsible on a small screen. */
export function DocsLayout({ path, children }: { path: string; children: ReactNode }) {
  return (
    <div className={classes.layout}>
      <nav className={classes.contents} aria-label="Docs">
        <FoldedOnPhones key={path}>
          <ul>
            <li>
              <DocsLink path="/docs">Overview</DocsLink>
            </li>
          </ul>
          {groups.map(({ title, pages }) => (
            <div key={title}>
              <p id={`contents-${title}`}>{title}</p>
              <ul aria-labelledby={`contents-${title}`}>
                {pages.map((page) => (
                  <li key={page.path}>
                    <DocsLink path={page.path}>{page.title}</DocsLink>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </FoldedOnPhones>
      </nav>
      <div className={classes.content}>{children}</div>
    </div>
  );
}

const DocsLink = ({ path, children }: { path: string; children: ReactNode }) => (
  <Link to={path} activeOptions={{ exact: true, includeHash: false }}>
    {children}
  </Link>
);

function FoldedOnPhones({ children }: { children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const wide = matchMedia("(min-width: 62em)");
    const fold = () => {
      if (details.current !== null) details.current.open = wide.matches;
    };
    fold();
    wide.addEventListener("change", fold);
    return () => wide.removeEventListener("change", fold);
  }, []);
  return (
    <details ref={details}>
      <summary>All docs</summary>
      {children}
    </details>
  );
}
