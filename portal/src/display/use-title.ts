import { useEffect } from "react";
import { siteName } from "../api/site-name.ts";

/** Sets the title of the document. The part that distinguishes pages comes first. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${siteName()}`;
  }, [title]);
}
