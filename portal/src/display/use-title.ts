import { useEffect } from "react";
import { siteName } from "../api/site-name.ts";

/** Titles the document. What distinguishes pages comes first. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${siteName()}`;
  }, [title]);
}
