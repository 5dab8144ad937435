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
const terms = (beat: FreeBeat): string => `<h2>What you may do with it</h2>
<ul>
<li>Listen, write, rehearse, and record demos over it.</li>
<li>Share what you record without payment, and name the producer: “Prod. by <bdi>${escapeHtml(beat.producer_name)}</bdi>”.</li>
<li>Not sell it, not earn from it, not send it to streaming services, and not register it with Content ID.</li>
<li>Not take the producer's tag out of it, and not pass the file on as a beat.</li>
</ul>
<p>For everything else there is a <a href="/beats/${beat.id}">license</a>, which also brings the recording without the tag.</p>`;

const titleOf = (beat: FreeBeat): string =>
  `<bdi>${escapeHtml(beat.title)}</bdi> <span class="faint">by <bdi>${escapeHtml(beat.producer_name)}</bdi></span>`;

export interface DownloadPage {
  beat: FreeBeat;
  download: Pick<FreeDownload, "email" | "consent" | "confirmed_at" | "withdrawn_at">;
  /** Of the page, with its token. */
  path: string;
}

/** The file and the consent of a confirmed address; before that, the way to confirm it. */
export function downloadPage({ beat, download, path }: DownloadPage): HttpResponse {
  const { email, consent, confirmed_at, withdrawn_at } = download;
  const address = escapeHtml(email);
  const title = `Free download of ${beat.title}`;
  if (confirmed_at === null)
    return freeDownloadHtml(200, {
      title,
      body: `<h1>${titleOf(beat)}</h1>
<p>The tagged MP3 was asked for with ${address}. Nothing is passed on before you confirm.</p>
<form method="post" action="${path}"><p>“${escapeHtml(consent)}”</p><button>Confirm and see the file</button></form>
${terms(beat)}`,
    });
  const revocation =
    withdrawn_at === null
      ? `<p>You agreed: “${escapeHtml(consent)}”</p>
<form method="post" action="${path}/withdraw"><button class="plain">Withdraw my consent</button></form>`
      : `<p class="state good" role="status">Your consent is withdrawn. <bdi>${escapeHtml(beat.producer_name)}</bdi> does not see ${address} any more, and we delete it within 30 days.</p>
<form method="post" action="${path}"><p>“${escapeHtml(consentTo(beat.producer_name))}”</p><button class="plain">Agree again</button></form>`;
  return freeDownloadHtml(200, {
    title,
    body: `<h1>${titleOf(beat)}</h1>
<p><a class="file" href="${path}/file">Download the tagged MP3 (${megabytes(beat.bytes)})</a></p>
${terms(beat)}
<h2>Your address</h2>
${revocation}`,
  });
}

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
