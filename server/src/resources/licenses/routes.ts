import { notFound } from "@beatmarket/foundation/errors.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { errorBody } from "@beatmarket/http/error-response.ts";
import { type HttpResponse, jsonResponse } from "@beatmarket/http/http-response.ts";
import { memoized, preferences } from "@beatmarket/http/negotiation/preferences.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { Queryable } from "../../database/connect.ts";
import type { LicenseLog } from "./log/license-log.ts";
import { proofOfSale } from "./log/proof.ts";
import { licenseLogRoutes } from "./log/routes.ts";
import { licenseJson, licensePage, unknownPage } from "./page/page.ts";
import { findPublicLicense } from "./queries.ts";
import { keySet } from "./signing/keys.ts";

export interface LicensePageParts {
  db: Queryable;
  publicUrl: string;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  licenseLog: LicenseLog;
}

/**
 * GET and HEAD, without a key (docs/licenses.md): /licenses/{id}, a license's public page and its JSON, and
 * /.well-known/jwks.json, the keys of certificates. Their reads take permits of a lane of their own, as those of previews
 * do, so that nothing here delays a call with a key.
 */
export function licenseRoutes({ db, publicUrl, concurrency, licenseLog }: LicensePageParts): Route[] {
  const read = <T>(context: RequestContext, work: () => Promise<T>): Promise<T> =>
    concurrency.run("media", work, context.receivedMs);
  return [
    openRoute(
      "/licenses/:id",
      async (context) => {
        const [license, proof] = await read(context, async () => {
          const found = await findPublicLicense(db, context.params.id ?? "");
          return [found, found && (await proofOfSale(db, licenseLog, found.claims.order_id))] as const;
        });
        if (prefersJson(context.requestHeaders.accept))
          return license === null
            ? uncached(jsonResponse(JSON.stringify(unknownLicense), 404))
            : uncached(jsonResponse(JSON.stringify(licenseJson(license, proof, publicUrl))));
        return uncached(license === null ? unknownPage() : licensePage(license, proof));
      },
      { isVital: true },
    ),
    ...licenseLogRoutes({ licenseLog, read }),
    openRoute(
      "/.well-known/jwks.json",
      async (context) => ({
        status: 200,
        headers: {
          "content-type": "application/jwk-set+json",
          "cache-control": "public, max-age=300",
          // Public keys are for every origin.
          "access-control-allow-origin": "*",
        },
        body: JSON.stringify(await read(context, () => keySet(db))),
      }),
      { isVital: true },
    ),
  ];
}

/** A refund shows at once, and JSON and page are one address. */
const uncached = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, "cache-control": "no-store", vary: "Accept" },
});

const unknownLicense = {
  ...errorBody(notFound("No license has this id; compare it with the address on the certificate.")),
  data: { license: { status: "unknown" } },
};

/** Whether Accept names JSON and not HTML, or JSON with the higher q. A browser gets the page, and so does a wildcard. */
const wantsJson = memoized((accept) => {
  const qOf = (...types: string[]) =>
    Math.max(0, ...preferences(accept).map(({ value, q }) => (types.includes(value) ? q : 0)));
  return qOf("application/json") > qOf("text/html", "application/xhtml+xml");
});
const prefersJson = (accept = ""): boolean => wantsJson(accept);
