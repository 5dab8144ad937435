import { useEffect } from "react";

/** Titles the document. What distinguishes pages comes first. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Beat Marketplace`;
  }, [title]);
}
