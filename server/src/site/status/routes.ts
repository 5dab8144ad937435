import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { readerLocale } from "../../access/reader-locale.ts";
import type { StatusWatch } from "../../metrics/status-watch.ts";
import { statusPage } from "./page.ts";
import { type StatusView, statusDocuments } from "./statuspage.ts";

export interface StatusRouteParts {
  publicUrl: string;
  /** The operator's name of the site. */
  site: string;
  watch: Pick<StatusWatch, "look" | "incidents" | "lookedMs">;
}

const headers = { "cache-control": "no-store", "access-control-allow-origin": "*" };

/**
 * The current problems, for anyone, also while the database is unreachable (docs/status.md): /status as a page,
 * /status.atom, and the documents of Statuspage's API below /api/v2.
 */
export function statusRoutes({ publicUrl, site, watch }: StatusRouteParts): Route[] {
  const open = (path: string, respond: (view: StatusView, context: RequestContext) => HttpResponse): Route =>
    openRoute(
      path,
      async (context) => {
        await watch.look();
        return respond({ publicUrl, site, incidents: watch.incidents, lookedMs: watch.lookedMs }, context);
      },
      { isVital: true },
    );
  return [
    open("/status", (view, context) => statusPage(readerLocale(context), view)),
    open("/status.atom", (view) => ({
      status: 200,
      headers: { ...headers, "content-type": "application/atom+xml; charset=utf-8" },
      body: atomFeed(view),
    })),
    ...Object.entries(statusDocuments).map(([name, document]) =>
      open(`/api/v2/${name}`, (view) => ({
        status: 200,
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(document(view)),
      })),
    ),
  ];
}

/** Incidents by RFC 4287, newest first. */
function atomFeed({ publicUrl, site, incidents, lookedMs }: StatusView): string {
  const time = (ms: number): string => new Date(ms).toISOString();
  const page = `${escapeHtml(publicUrl)}/status`;
  const updatedMs = Math.max(...incidents.map(({ startedMs, resolvedMs }) => resolvedMs ?? startedMs));
  const entries = incidents.map(
    ({ key, name, startedMs, resolvedMs }) => `<entry>
<id>${page}#${key}</id>
<title>${escapeHtml(resolvedMs === null ? name : `Resolved: ${name}`)}</title>
<published>${time(startedMs)}</published>
<updated>${time(resolvedMs ?? startedMs)}</updated>
<link rel="alternate" type="text/html" href="${page}#${key}"/>
</entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${page}</id>
<title>Status of ${escapeHtml(site)}</title>
<updated>${time(incidents.length === 0 ? lookedMs : updatedMs)}</updated>
<author><name>${escapeHtml(site)}</name></author>
<link rel="self" type="application/atom+xml" href="${escapeHtml(publicUrl)}/status.atom"/>
<link rel="alternate" type="text/html" href="${page}"/>
${entries.join("\n")}
</feed>
`;
}
