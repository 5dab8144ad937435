import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A section of a document. `page` is relative to /docs, and `anchor` is that of the section's heading. */
export interface DocsPlace {
  page: string;
  anchor: string;
}

const errors = (anchor: string): DocsPlace => ({ page: "api/errors", anchor });

/** Statuses of the API that have a section in docs/api/errors.md. The anchor of the section is the number. */
export const documentedStatuses = [
  400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 416, 417, 423, 429, 431, 460, 500, 503, 507,
];

/** Sections about specific causes of refusals. The key is `refused_by`, or the part of it before the first colon. */
export const refusalPlaces: Readonly<Record<string, DocsPlace>> = {
  "limit:bad-keys": { page: "api/authentication", anchor: "invalid-keys" },
  "limit:export": { page: "api/exports", anchor: "limit" },
  "limit:downloads": { page: "api/exports", anchor: "limit" },
  "limit:order-files": { page: "delivery", anchor: "links" },
  "limit:streams": { page: "api/events", anchor: "as-a-stream" },
  limit: { page: "api/limits", anchor: "sliding-windows" },
  permission: { page: "api/authentication", anchor: "permissions" },
  "spending-cap": { page: "api/authentication", anchor: "restrictions" },
  address: { page: "api/authentication", anchor: "restrictions" },
  account: { page: "api/authentication", anchor: "suspended-accounts" },
};

/** Sections about statuses whose meaning differs between the portal's API and the public API. 0 means no response. */
export const portalPlaces: Readonly<Record<number, DocsPlace>> = {
  0: errors("no-response"),
  401: errors("signed-out"),
  403: errors("confirm-that-it-is-you"),
  429: errors("too-many-attempts"),
};

/** The section about accepted formats, for a rejected file. */
export const rejectedUploads: DocsPlace = { page: "api/uploads", anchor: "what-may-be-uploaded" };

/** The text of a link to the section about a refusal. */
export const aboutRefusal = (status: number): string => `What to do about ${status}`;

/** The section about a refused call of the public API. */
export function placeOfRefusal(status: number, refusedBy: string | null): DocsPlace {
  const [kind = ""] = refusedBy?.split(":") ?? [];
  // A parameter may have any name, even one of Object.prototype's properties.
  const reason = [refusedBy ?? "", kind].find((name) => Object.hasOwn(refusalPlaces, name));
  return (reason === undefined ? undefined : refusalPlaces[reason]) ?? placeOfStatus(status);
}

/** The section about an error of the portal's API. */
export const placeOfPortalError = (status: number): DocsPlace => portalPlaces[status] ?? placeOfStatus(status);

function placeOfStatus(status: number): DocsPlace {
  if (documentedStatuses.includes(status)) return errors(String(status));
  return errors(status >= 500 ? "500" : "400");
}

/** A link to a section. `children` names the topic, so that the link is understandable without its context. */
export const DocsLink = ({ place: { page, anchor }, children }: { place: DocsPlace; children: ReactNode }) => (
  <Anchor size="sm" renderRoot={(props) => <Link to={`/docs/${page}`} hash={anchor} {...props} />}>
    {children}
  </Anchor>
);
