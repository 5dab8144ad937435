import { ApiError } from "@beatmarket/foundation/errors.ts";
import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { ErrorPage } from "@beatmarket/http/pipeline/error-page.ts";
import type { Locale } from "../../../contract/texts/locale.ts";
import { problemText, problemTitle, readerLocale } from "../access/reader-locale.ts";
import type { ReadAssets, SiteAssets } from "./assets.ts";
import { silence, siteDocument } from "./html/document.ts";

interface ShownFailure {
  title: string;
  /** The remedy; empty without one. */
  details: string;
  requestId?: string;
}

/** The page of an error, with the next step. */
const failureMain = (locale: Locale, { title, details, requestId }: ShownFailure): string => `<div class="page nothing">
${silence}
<h1>${escapeHtml(title)}</h1>
${details === "" ? "" : `<p class="dim">${escapeHtml(details)}</p>`}
<p><a class="button" href="/">${locale.t("failure.search")}</a></p>
${requestId === undefined ? "" : `<p class="dim">${locale.t("failure.requestId", { id: escapeHtml(requestId) })}</p>`}
</div>`;

/** The page of an error, which is not cached. */
function failurePage(assets: SiteAssets, locale: Locale, status: number, failure: ShownFailure): HttpResponse {
  const { representation, headers } = siteDocument(assets, locale, {
    title: failure.title,
    canonical: null,
    main: failureMain(locale, failure),
  });
  return {
    status,
    headers: { ...headers, ...privatePageHeaders, "content-type": representation.contentType },
    body: representation.body,
  };
}

/**
 * The page of a refusal. The page of a 404 has the heading `missing`. Rethrows a 503, and an error that is no ApiError.
 */
export async function refusalPage(
  readAssets: ReadAssets,
  locale: Locale,
  error: unknown,
  missing: string,
): Promise<HttpResponse> {
  if (!(error instanceof ApiError) || error.status === 503) throw error;
  const title = error.status === 404 ? missing : problemTitle(locale, error);
  const details = problemText(locale, error);
  const page = failurePage(await readAssets(), locale, error.status, { title, details });
  return { ...page, headers: { ...error.headers, ...page.headers } };
}

function detailsOf(locale: Locale, error: ApiError): string {
  if (error.status === 404) return locale.t("failure.mistyped");
  return error.status >= 500 ? problemText(locale, error) : "";
}

/** Shows the errors of all public paths as pages of the site. */
export function errorPages(readAssets: ReadAssets): ErrorPage {
  const assets = onFirstUse(readAssets);
  return async (error, context) => {
    const { status } = error;
    const locale = readerLocale(context);
    return failurePage(await assets(), locale, status, {
      title: problemTitle(locale, error),
      details: detailsOf(locale, error),
      requestId: context.requestId,
    });
  };
}
