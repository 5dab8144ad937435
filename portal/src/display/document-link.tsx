import { Anchor } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";
import { openDocument } from "../api/open-document.ts";

/**
 * Props of an anchor to a document outside the portal's pages. During an outage a click leaves the page only once the
 * server responds.
 */
export const documentLink = (href: string) => ({
  href,
  onClick: (event: MouseEvent) => {
    const opensElsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (opensElsewhere) return;
    event.preventDefault();
    void openDocument(href);
  },
});

export const DocumentLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Anchor {...documentLink(href)} inherit>
    {children}
  </Anchor>
);
