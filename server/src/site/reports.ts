import { ApiError, notFound } from "@beatmarket/foundation/errors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { requireOwnForm } from "@beatmarket/http/admission/own-origin.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { maxTextLength } from "@beatmarket/http/input/read-text.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { Locale } from "../../../contract/texts/locale.ts";
import { problemText, readerLocale } from "../access/reader-locale.ts";
import { type ReportReason, reportReasons } from "../resources/reports/report.ts";
import {
  findReportable,
  type ReportableBeat,
  ReportLimits,
  type ReportParts,
  reportBeat,
} from "../resources/reports/report-beat.ts";
import type { ReadAssets } from "./assets.ts";
import { refusalPage } from "./failure-page.ts";
import { siteDocument } from "./html/document.ts";

/** A text of 2,000 characters, each of which may take twelve bytes of a form. */
const maxBodyBytes = 26_000;
const noValues = { reason: "", details: "", email: "" };

export interface ReportRouteParts extends ReportParts {
  concurrency: Pick<ConcurrencyLimiter, "run">;
  readAssets: ReadAssets;
}

/** `/beats/{id}/report`: anyone reports a beat to the operator, without an account and without scripts. */
export function reportRoutes(parts: ReportRouteParts): Route[] {
  const { db, concurrency, readAssets } = parts;
  const limits = new ReportLimits(parts.clock);
  const path = "/beats/:beat_id/report";

  async function find({ params }: RequestContext): Promise<ReportableBeat> {
    const id = /^[1-9]\d{0,8}$/.exec(params.beat_id ?? "")?.[0];
    const beat = id === undefined ? undefined : await findReportable(db, Number(id));
    if (beat === undefined) throw notFound("Only a beat that has a page can be reported.");
    return beat;
  }

  async function page(locale: Locale, status: number, title: string, main: string): Promise<HttpResponse> {
    const { representation, headers } = siteDocument(await readAssets(), locale, { title, canonical: null, main });
    return {
      status,
      headers: { ...headers, ...privatePageHeaders, "content-type": representation.contentType },
      body: representation.body,
    };
  }

  const formPage = (locale: Locale, status: number, form: ReportForm) =>
    page(locale, status, locale.t("report.pageTitle", { title: form.beat.title }), reportMain(locale, form));

  async function send(context: RequestContext, beat: ReportableBeat): Promise<HttpResponse> {
    requireOwnForm(context.requestHeaders, context.publicUrl);
    const locale = readerLocale(context);
    const fields = new URLSearchParams(context.body?.toString("utf8"));
    const field = (name: string) => fields.get(name) ?? "";
    const values = { reason: field("reason"), details: field("details"), email: field("email") };
    try {
      const network = clientNetwork(context.clientAddress);
      await reportBeat({ ...parts, limits }, { beatId: beat.id, network, language: locale.language, ...values });
      return page(locale, 200, locale.t("report.thanks"), reportedMain(locale, beat));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const formResponse = await formPage(locale, error.status, { beat, problem: problemText(locale, error), values });
      return { ...formResponse, headers: { ...error.headers, ...formResponse.headers } };
    }
  }

  const serve = (respond: (context: RequestContext, beat: ReportableBeat) => Promise<HttpResponse>) => {
    const work = async (context: RequestContext) => {
      try {
        return await respond(context, await find(context));
      } catch (error) {
        const locale = readerLocale(context);
        return refusalPage(readAssets, locale, error, locale.t("beat.missing"));
      }
    };
    return (context: RequestContext) => concurrency.run("page", () => work(context), context.receivedMs);
  };

  return [
    openRoute(
      path,
      serve((context, beat) => formPage(readerLocale(context), 200, { beat, problem: null, values: noValues })),
      { isVital: true },
    ),
    openRoute(path, serve(send), { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } }),
  ];
}

interface ReportForm {
  beat: ReportableBeat;
  /** The error of the last form; null without an error. */
  problem: string | null;
  /** The values of the last form. */
  values: { reason: string; details: string; email: string };
}

const crumbs = (locale: Locale, { id, title }: ReportableBeat) =>
  `<nav class="crumbs" aria-label="${locale.t("frame.breadcrumb")}"><a href="/">${locale.t("frame.beats")}</a> <span class="dim" aria-hidden="true">/</span> <a href="/beats/${id}"><bdi>${escapeHtml(title)}</bdi></a> <span class="dim" aria-hidden="true">/</span> ${locale.t("report.crumb")}</nav>`;

/** The form that reports a beat to the operator. */
const reportMain = (locale: Locale, { beat, problem, values }: ReportForm): string => `<div class="page basket">
${crumbs(locale, beat)}
<h1>${locale.t("report.title")}</h1>
<p class="dim">${locale.t("report.lead", { title: `<bdi>${escapeHtml(beat.title)}</bdi>`, producer: `<bdi>${escapeHtml(beat.producer_name)}</bdi>` })}</p>
${problem === null ? "" : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<form class="pay" method="post" action="/beats/${beat.id}/report">
<label><span>${locale.t("report.reason")}</span> <select name="reason" required>
<option value="">${locale.t("report.choose")}</option>
${(Object.keys(reportReasons) as ReportReason[])
  .map(
    (name) =>
      `<option value="${name}"${values.reason === name ? " selected" : ""}>${locale.t(`report.${name}`)}</option>`,
  )
  .join("\n")}
</select></label>
<label><span>${locale.t("report.details")}</span> <textarea name="details" required rows="6" maxlength="${maxTextLength}">${escapeHtml(values.details)}</textarea></label>
<p class="dim">${locale.t("report.detailsHint")}</p>
<label><span>${locale.t("report.email")}</span> <input type="email" name="email" required maxlength="254" autocomplete="email" value="${escapeHtml(values.email)}"></label>
<p class="dim">${locale.t("report.emailHint")}</p>
<button class="button primary">${locale.t("report.send")}</button>
</form>
</div>`;

/** The page after a report. */
const reportedMain = (locale: Locale, beat: ReportableBeat): string => `<div class="page basket">
${crumbs(locale, beat)}
<h1>${locale.t("report.thanks")}</h1>
<p role="status">${locale.t("report.received", { title: `<bdi>${escapeHtml(beat.title)}</bdi>` })}</p>
<p><a class="button" href="/">${locale.t("frame.findBeats")}</a></p>
</div>`;
