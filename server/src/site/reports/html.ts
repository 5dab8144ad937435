import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { maxTextLength } from "../../access/read-text.ts";
import { type ReportReason, reportReasons } from "../../resources/reports/report.ts";
import type { ReportableBeat } from "../../resources/reports/report-beat.ts";

export interface ReportForm {
  beat: ReportableBeat;
  /** The error of the last form; null without one. */
  problem: string | null;
  /** The values of the last form. */
  given: { reason: string; details: string; email: string };
}

const crumbs = (locale: Locale, { id, title }: ReportableBeat) =>
  `<nav class="crumbs" aria-label="${locale.t("frame.breadcrumb")}"><a href="/">${locale.t("frame.beats")}</a> <span class="dim" aria-hidden="true">/</span> <a href="/beats/${id}"><bdi>${escapeHtml(title)}</bdi></a> <span class="dim" aria-hidden="true">/</span> ${locale.t("report.crumb")}</nav>`;

/** The form that reports a beat to the operator. */
export const reportMain = (locale: Locale, { beat, problem, given }: ReportForm): string => `<div class="page basket">
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
      `<option value="${name}"${given.reason === name ? " selected" : ""}>${locale.t(`report.${name}`)}</option>`,
  )
  .join("\n")}
</select></label>
<label><span>${locale.t("report.details")}</span> <textarea name="details" required rows="6" maxlength="${maxTextLength}">${escapeHtml(given.details)}</textarea></label>
<p class="dim">${locale.t("report.detailsHint")}</p>
<label><span>${locale.t("report.email")}</span> <input type="email" name="email" required maxlength="254" autocomplete="email" value="${escapeHtml(given.email)}"></label>
<p class="dim">${locale.t("report.emailHint")}</p>
<button class="button primary">${locale.t("report.send")}</button>
</form>
</div>`;

/** The page after a report. */
export const reportedMain = (locale: Locale, beat: ReportableBeat): string => `<div class="page basket">
${crumbs(locale, beat)}
<h1>${locale.t("report.thanks")}</h1>
<p role="status">${locale.t("report.received", { title: `<bdi>${escapeHtml(beat.title)}</bdi>` })}</p>
<p><a class="button" href="/">${locale.t("frame.findBeats")}</a></p>
</div>`;
