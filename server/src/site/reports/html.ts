import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { maxTextLength } from "../../resources/contacts/parties.ts";
import { reportReasons } from "../../resources/reports/report.ts";
import type { ReportableBeat } from "../../resources/reports/report-beat.ts";

export interface ReportForm {
  beat: ReportableBeat;
  /** What went wrong with the last form; null for nothing. */
  problem: string | null;
  /** What the last form had. */
  given: { reason: string; details: string; email: string };
}

const crumbs = ({ id, title }: ReportableBeat) =>
  `<nav class="crumbs" aria-label="Breadcrumb"><a href="/">Beats</a> <span class="dim" aria-hidden="true">/</span> <a href="/beats/${id}"><bdi>${escapeHtml(title)}</bdi></a> <span class="dim" aria-hidden="true">/</span> Report</nav>`;

/** The form that reports a beat to the operator. */
export const reportMain = ({ beat, problem, given }: ReportForm): string => `<div class="page basket">
${crumbs(beat)}
<h1>Report this beat</h1>
<p class="dim">You report <bdi>${escapeHtml(beat.title)}</bdi> by <bdi>${escapeHtml(beat.producer_name)}</bdi> to the operator of this marketplace.</p>
${problem === null ? "" : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<form class="pay" method="post" action="/beats/${beat.id}/report">
<label><span>What is wrong with it</span> <select name="reason" required>
<option value="">Choose a reason</option>
${Object.entries(reportReasons)
  .map(
    ([name, text]) => `<option value="${name}"${given.reason === name ? " selected" : ""}>${escapeHtml(text)}</option>`,
  )
  .join("\n")}
</select></label>
<label><span>What happened</span> <textarea name="details" required rows="6" maxlength="${maxTextLength}">${escapeHtml(given.details)}</textarea></label>
<p class="dim">Name the work, where it can be heard, and what right you have in it. The producer may read this text.</p>
<label><span>Your e-mail</span> <input type="email" name="email" required maxlength="254" autocomplete="email" value="${escapeHtml(given.email)}"></label>
<p class="dim">The decision is mailed there. The producer does not see it.</p>
<button class="button primary">Send the report</button>
</form>
</div>`;

/** After a report. */
export const reportedMain = (beat: ReportableBeat): string => `<div class="page basket">
${crumbs(beat)}
<h1>Thank you</h1>
<p role="status">The operator has your report of <bdi>${escapeHtml(beat.title)}</bdi>, and you have a mail that confirms it. You get another with the decision.</p>
<p><a class="button" href="/">Find beats</a></p>
</div>`;
