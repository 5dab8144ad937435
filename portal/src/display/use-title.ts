import { useEffect } from "react";

/** Titles the document. What tells pages apart comes first. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Beat Marketplace`;
  }, [title]);
}
