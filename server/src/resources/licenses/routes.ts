import type { Clock } from "@beatmarket/foundation/clock.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { errorBody } from "@beatmarket/http/error-response.ts";
import { type HttpResponse, jsonResponse } from "@beatmarket/http/http-response.ts";
import { memoized, preferences } from "@beatmarket/http/negotiation/preferences.ts";
import { prefersJson } from "@beatmarket/http/negotiation/prefers-json.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { type OdrlLicense, odrlPolicy } from "@beatmarket/license-terms/odrl.ts";
import { keySet } from "@beatmarket/signing-keys/keys.ts";
import type { Queryable } from "../../database/connect.ts";
import { grantOf } from "./answers/ask.ts";
import { licenseUrl } from "./certificate.ts";
import { countSalesAround } from "./log/leaves.ts";
import type { LicenseLog } from "./log/license-log.ts";
import { proofOfSale } from "./log/proof.ts";
import { licenseLogRoutes } from "./log/routes.ts";
import { type HolderOffers, licenseJson, licensePage, type PageFacts, unknownPage } from "./page/page.ts";
import { findPublicLicense, type PublicLicense } from "./queries.ts";
import { listTtlMs, type SignedStatusLists } from "./status/list.ts";

export interface LicensePageParts {
  db: Queryable;
  clock: Clock;
  publicUrl: string;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  licenseLog: LicenseLog;
  statusLists: SignedStatusLists;
  /** Returns what the signed-in holder of the license can buy, and null for everyone else. */
  ownOffers(headers: Headers, license: PublicLicense): Promise<HolderOffers | null>;
}

/**
 * The public routes of licenses, for GET and HEAD without a key (docs/licenses.md). /licenses/{id} responds with a
 * page, JSON or an ODRL policy; /.well-known/jwks.json has the keys of certificates. Reads use the permit lane of
 * previews, so that they cannot delay a call with a key.
 */
export function licenseRoutes(parts: LicensePageParts): Route[] {
  const { db, clock, publicUrl, concurrency, licenseLog, statusLists, ownOffers } = parts;
  const read = <T>(context: RequestContext, work: () => Promise<T>): Promise<T> =>
    concurrency.run("media", work, context.receivedMs);
  const find = (context: RequestContext) => read(context, () => findPublicLicense(db, context.params.id ?? ""));
  const factsOf = async ({ claims }: PublicLicense): Promise<PageFacts> => {
    const [proof, sales] = await Promise.all([
      proofOfSale(db, licenseLog, claims.order_id),
      countSalesAround(db, claims.order_id),
    ]);
    return { proof, sales, now: new Date(clock.nowMs()) };
  };
  const policyOf = (license: PublicLicense | null): HttpResponse => {
    if (license === null) return withoutCache(jsonResponse(JSON.stringify(unknownLicense), 404));
    const { headers, ...response } = jsonResponse(JSON.stringify(odrlPolicy(odrlLicenseOf(license, publicUrl))));
    return withoutCache({ ...response, headers: { ...headers, "content-type": "application/ld+json", ...anyOrigin } });
  };
  return [
    openRoute(
      "/licenses/:id",
      async (context) => {
        const { accept } = context.requestHeaders;
        if (prefersPolicy(accept)) return policyOf(await find(context));
        const page = await read(context, async () => {
          const license = await findPublicLicense(db, context.params.id ?? "");
          return license && { license, facts: await factsOf(license) };
        });
        if (prefersJson(accept ?? ""))
          return page === null
            ? withoutCache(jsonResponse(JSON.stringify(unknownLicense), 404))
            : withoutCache(jsonResponse(JSON.stringify(licenseJson(page.license, page.facts, publicUrl))));
        if (page === null) return withoutCache(unknownPage());
        const { license, facts } = page;
        const holderOffers = await read(context, () => ownOffers(context.webHeaders, license));
        return withoutCache(licensePage(license, facts, holderOffers));
      },
      { isVital: true },
    ),
    openRoute("/licenses/:id/odrl", async (context) => policyOf(await find(context)), { isVital: true }),
    openRoute(
      "/licenses/status/:list",
      async (context) => {
        const { list = "" } = context.params;
        const signed = /^(0|[1-9]\d{0,8})$/.test(list)
          ? await read(context, () => statusLists.list(Number(list)))
          : null;
        return signed === null
          ? withoutCache(jsonResponse(JSON.stringify(unknownList), 404))
          : { status: 200, headers: listHeaders, body: signed };
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

/** `no-store`, because a refund must show immediately. `vary`, because JSON and page have the same address. */
const withoutCache = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, "cache-control": "no-store", vary: "Accept" },
});

const unknownLicense = {
  ...errorBody(notFound("No license has this id; compare it with the address on the certificate.")),
  data: { license: { status: "unknown" } },
};

const unknownList = errorBody(
  notFound("No license is in this list; the certificate names its own as statusListCredential."),
);

/** The responses contain only public data. */
const anyOrigin = { "access-control-allow-origin": "*" };

const listHeaders = {
  "content-type": "application/vc+jwt",
  "cache-control": `public, max-age=${listTtlMs / 1_000}`,
  ...anyOrigin,
};

/** Whether Accept prefers the ODRL policy to JSON and to the page. */
const wantsPolicy = memoized((accept) => {
  const qOf = (...types: string[]) =>
    Math.max(0, ...preferences(accept).map(({ value, q }) => (types.includes(value) ? q : 0)));
  return qOf("application/ld+json") > qOf("application/json", "text/html", "application/xhtml+xml");
});
const prefersPolicy = (accept = ""): boolean => wantsPolicy(accept);

function odrlLicenseOf(license: PublicLicense, publicUrl: string): OdrlLicense {
  const { id, claims, terms, issuedAt, replaces, replaced } = license;
  const addressOf = (other: string | null | undefined): string | null =>
    other == null ? null : licenseUrl(publicUrl, other);
  return {
    grant: grantOf(license),
    title: `${terms.title}: ${claims.beat.title}`,
    issuedAt,
    url: licenseUrl(publicUrl, id),
    target: `${publicUrl}/beats/${claims.beat.id}`,
    assigner: `${publicUrl}/v1/users/${claims.producer.id}`,
    profile: `${publicUrl}/portal/docs/clauses`,
    replaces: addressOf(replaces),
    replacedBy: addressOf(replaced?.licenseId),
  };
}
