import { escapeHtml } from "../../text/html.ts";
import { silence } from "./icons.ts";

/** A page that could not be shown, and the next step. */
export const failureMain = (title: string, details: string): string => `<div class="page nothing">
${silence}
<h1>${escapeHtml(title)}</h1>
<p class="dim">${escapeHtml(details)}</p>
<p><a class="button" href="/">Search beats</a></p>
</div>`;
