import { Anchor } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";
import { openDocument } from "../api/open-document.ts";

/** What makes an anchor lead to a document that is none of the portal's pages. It waits for the end of an outage. */
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
