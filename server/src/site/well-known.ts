import type { Clock } from "@beatmarket/foundation/clock.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";

const dayMs = 86_400_000;
/** RFC 9116 recommends less than a year. */
const validDays = 180;

export interface WellKnownParts {
  publicUrl: string;
  clock: Clock;
}

/**
 * The addresses that browsers and finders of a weakness read: the page that changes a password, and the contact for
 * security.
 */
export const wellKnownRoutes = ({ publicUrl, clock }: WellKnownParts): Route[] => [
  openRoute("/.well-known/change-password", () => ({
    status: 302,
    headers: { location: "/portal/account/security", "cache-control": "no-store" },
    body: "",
  })),
  openRoute("/.well-known/security.txt", () => ({
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=86400" },
    body: `Contact: ${publicUrl}/contact
Expires: ${expiry(clock.nowMs())}
Preferred-Languages: en
Canonical: ${publicUrl}/.well-known/security.txt
`,
  })),
];

/** At the end of a day, so that the file is the same all day. */
const expiry = (nowMs: number): string =>
  new Date((Math.floor(nowMs / dayMs) + validDays) * dayMs).toISOString().replace(".000", "");
