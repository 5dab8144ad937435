import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { type HtmlPage, htmlPage } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { consentTo, type FreeBeat, type FreeDownload } from "./free-downloads.ts";

const freeDownloadHtml: HtmlPage = htmlPage({
  name: "Free download",
  hasForms: true,
  style: `
h2 { margin: 32px 0 8px; font-size: 16px }
ul { margin: 8px 0; padding-left: 20px }
a { color: var(--accent) }
form { display: grid; gap: 12px; margin: 16px 0; max-width: 420px }
.file { display: inline-block; min-height: 48px; padding: 12px 16px; border-radius: 8px; background: #5b3fd6; color: #fff; font-weight: 600;
  text-decoration: none }
button { min-height: 48px; padding: 12px 16px; border: 1px solid #6a4fe0; border-radius: 8px; background: #5b3fd6; color: #fff;
  font: inherit; font-weight: 600; cursor: pointer }
.plain { background: none; border-color: var(--faint); color: var(--text) }
:is(button, a):focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`,
});

/** What the file may be used for, as it stands on each page. */
const terms = ({ beat_id, producer_name }: FreeDownload): string => `<h2>What you may do with it</h2>
<ul>
<li>Listen, write, rehearse, and record demos over it.</li>
<li>Share what you record without payment, and name the producer: “Prod. by <bdi>${escapeHtml(producer_name)}</bdi>”.</li>
<li>Not sell it, not earn from it, not send it to streaming services, and not register it with Content ID.</li>
<li>Not take the producer's tag out of it, and not pass the file on as a beat.</li>
</ul>
<p>For everything else there is a <a href="/beats/${beat_id}">license</a>, which also brings the recording without the tag.</p>`;

const titleOf = ({ title, producer_name }: Pick<FreeDownload, "title" | "producer_name">): string =>
  `<bdi>${escapeHtml(title)}</bdi> <span class="faint">by <bdi>${escapeHtml(producer_name)}</bdi></span>`;

export interface DownloadPage {
  download: FreeDownload;
  /** Null while the producer does not offer the file. The consent can be withdrawn all the same. */
  bytes: number | null;
  /** Of the page, with its token. */
  path: string;
}

/** The file and the consent of a confirmed address; before that, the way to confirm it. */
export function downloadPage({ download, bytes, path }: DownloadPage): HttpResponse {
  const { email, consent, confirmed_at } = download;
  const title = `Free download of ${download.title}`;
  if (confirmed_at === null)
    return freeDownloadHtml(bytes === null ? 410 : 200, {
      title,
      body: `<h1>${titleOf(download)}</h1>
${
  bytes === null
    ? notOfferedText
    : `<p>The tagged MP3 was asked for with ${escapeHtml(email)}. Nothing is passed on before you confirm.</p>
<form method="post" action="${path}"><p>“${escapeHtml(consent)}”</p><button>Confirm and see the file</button></form>`
}
${terms(download)}`,
    });
  return freeDownloadHtml(200, {
    title,
    body: `<h1>${titleOf(download)}</h1>
${bytes === null ? notOfferedText : `<p><a class="file" href="${path}/file">Download the tagged MP3 (${megabytes(bytes)})</a></p>`}
${terms(download)}
<h2>Your address</h2>
${revocation(download, path)}`,
  });
}

/** Why a beat has no free download now. */
export const notOffered =
  "This beat has no free download: its producer does not offer one, or it is not on sale any more.";
const notOfferedText = `<p class="state bad" role="alert">${notOffered}</p>`;

const revocation = ({ email, consent, withdrawn_at, producer_name }: FreeDownload, path: string): string =>
  withdrawn_at === null
    ? `<p>You agreed: “${escapeHtml(consent)}”</p>
<form method="post" action="${path}/withdraw"><button class="plain">Withdraw my consent</button></form>`
    : `<p class="state good" role="status">Your consent is withdrawn. <bdi>${escapeHtml(producer_name)}</bdi> does not see ${escapeHtml(email)} any more, and we delete it within 30 days.</p>
<form method="post" action="${path}"><p>“${escapeHtml(consentTo(producer_name))}”</p><button class="plain">Agree again</button></form>`;

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The same whether or not the address had asked before. */
export const linkMailed = (beat: FreeBeat): HttpResponse =>
  freeDownloadHtml(200, {
    title: "Look into your mailbox",
    body: `<h1>Look into your mailbox</h1>
<p class="state good" role="status">A mail with the link to ${titleOf(beat)} is on its way.</p>
<p class="faint">Nothing there after some minutes? Look into the folder for spam, then <a href="/beats/${beat.id}#free-download">try again</a>.</p>`,
  });

/** A request that was refused, and where to go on. */
export const refused = (status: number, problem: string, beatId: number | null): HttpResponse =>
  freeDownloadHtml(status, {
    title: "No free download",
    body: `<h1>No free download</h1>
<p class="state bad" role="alert">${escapeHtml(problem)}</p>
<p><a href="${beatId === null ? "/" : `/beats/${beatId}#free-download`}">Back to the ${beatId === null ? "beats" : "beat"}</a></p>`,
  });
