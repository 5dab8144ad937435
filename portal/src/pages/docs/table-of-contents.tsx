import { useEffect, useState } from "react";
import classes from "./docs.module.css";
import type { GuideDocument } from "./documents.ts";

/** The height of the frame's header (52 px) and of the space below it, in CSS pixels. */
const headerPx = 72;

/** The headings of a document down to level 3. Marks the current heading. Renders nothing for fewer than two. */
export function TableOfContents({ headings }: { headings: GuideDocument["headings"] }) {
  const entries = headings.filter(({ level }) => level <= 3);
  const currentId = useHeadingInView(entries.map(({ id }) => id));
  if (entries.length < 2) return null;
  return (
    <nav className={classes.toc} aria-label="On this page">
      <p>On this page</p>
      <ul>
        {entries.map(({ id, level, text }) => (
          <li key={id} data-level={level}>
            <a href={`#${id}`} {...(id === currentId && { "aria-current": "location" as const })}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/**
 * The id of the last heading that is above the window or in its upper third. At the end of the page, the id of the last
 * heading. Null above the first heading.
 */
function useHeadingInView(ids: readonly string[]): string | null {
  const [currentId, setCurrentId] = useState<string | null>(null);
  const idList = ids.join(" ");
  useEffect(() => {
    const elements = idList
      .split(" ")
      .map((id) => document.getElementById(id))
      .filter((element) => element !== null);
    let frame = 0;
    const markCurrentHeading = () => {
      frame = 0;
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      const limit = isAtEnd ? innerHeight : Math.max(headerPx + 24, innerHeight / 3);
      setCurrentId(elements.findLast((element) => element.getBoundingClientRect().top <= limit)?.id ?? null);
    };
    const scheduleMark = () => {
      frame ||= requestAnimationFrame(markCurrentHeading);
    };
    markCurrentHeading();
    addEventListener("scroll", scheduleMark, { passive: true });
    addEventListener("resize", scheduleMark, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", scheduleMark);
      removeEventListener("resize", scheduleMark);
    };
  }, [idList]);
  return currentId;
}
