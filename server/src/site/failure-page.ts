import { ApiError } from "@beatmarket/foundation/errors.ts";
import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { ErrorPage } from "@beatmarket/http/pipeline/error-page.ts";
import type { ReadAssets, SiteAssets } from "./assets.ts";
import { siteDocument } from "./html/document.ts";
import { silence } from "./html/icons.ts";

interface ShownFailure {
  title: string;
  /** What to do about it; empty for nothing. */
  details: string;
  requestId?: string;
}

/** A page that could not be shown, and the next step. */
const failureMain = ({ title, details, requestId }: ShownFailure): string => `<div class="page nothing">
${silence}
<h1>${escapeHtml(title)}</h1>
${details === "" ? "" : `<p class="dim">${escapeHtml(details)}</p>`}
<p><a class="button" href="/">Search beats</a></p>
${requestId === undefined ? "" : `<p class="dim">Request id ${escapeHtml(requestId)}</p>`}
</div>`;

/** A page about what could not be shown, which no one keeps. */
function failurePage(assets: SiteAssets, status: number, failure: ShownFailure): HttpResponse {
  const { representation, headers } = siteDocument(assets, {
    title: failure.title,
    canonical: null,
    main: failureMain(failure),
  });
  return {
    status,
    headers: { ...headers, ...privatePageHeaders, "content-type": representation.contentType },
    body: representation.body,
  };
}

/** The page of a refusal, such as a 404, whose heading is `missing`. Throws every other error again. */
export async function refusalPage(readAssets: ReadAssets, error: unknown, missing: string): Promise<HttpResponse> {
  if (!(error instanceof ApiError) || error.status === 503) throw error;
  const title = error.status === 404 ? missing : error.message;
  const page = failurePage(await readAssets(), error.status, { title, details: error.details });
  return { ...page, headers: { ...error.headers, ...page.headers } };
}

/** Errors of all that anyone may open as pages of the site. */
export function errorPages(readAssets: ReadAssets): ErrorPage {
  const assets = onFirstUse(readAssets);
  return async ({ status, message, details }, requestId) =>
    failurePage(await assets(), status, {
      title: message,
      details:
        status === 404 ? "The address may be mistyped, or what was here has moved." : status >= 500 ? details : "",
      requestId,
    });
}
