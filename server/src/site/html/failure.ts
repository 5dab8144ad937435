import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { silence } from "./icons.ts";

export interface ShownFailure {
  title: string;
  /** What to do about it; empty for nothing. */
  details: string;
  requestId?: string;
}

/** A page that could not be shown, and the next step. */
export const failureMain = ({ title, details, requestId }: ShownFailure): string => `<div class="page nothing">
${silence}
<h1>${escapeHtml(title)}</h1>
${details === "" ? "" : `<p class="dim">${escapeHtml(details)}</p>`}
<p><a class="button" href="/">Search beats</a></p>
${requestId === undefined ? "" : `<p class="dim">Request id ${escapeHtml(requestId)}</p>`}
</div>`;
