import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { type HtmlPage, htmlPage } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
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

const kindIn = (locale: Locale) => ({ language: locale.language, kind: locale.t("freeDownload.name") });

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

const linkTo = (path: string) => ({ link: `<a href="${path}">`, end: "</a>" });

/** The permitted use of the file. */
const terms = (
  locale: Locale,
  { beat_id, producer_name }: FreeDownload,
): string => `<h2>${locale.t("freeDownload.terms")}</h2>
<ul>
<li>${locale.t("freeDownload.may")}</li>
<li>${locale.t("freeDownload.mayShare", { producer: `<bdi>${escapeHtml(producer_name)}</bdi>` })}</li>
<li>${locale.t("freeDownload.mayNotSell")}</li>
<li>${locale.t("freeDownload.mayNotCut")}</li>
</ul>
<p>${locale.t("freeDownload.license", linkTo(`/beats/${beat_id}`))}</p>`;

const titleOf = (locale: Locale, { title, producer_name }: Pick<FreeDownload, "title" | "producer_name">): string =>
  `<bdi>${escapeHtml(title)}</bdi> <span class="faint">${locale.t("beat.by", { producer: `<bdi>${escapeHtml(producer_name)}</bdi>` })}</span>`;

export interface DownloadPage {
  download: FreeDownload;
  /** Null while the producer does not offer the file. The consent can still be withdrawn. */
  bytes: number | null;
  /** The path of the page, with its token. */
  path: string;
}

/** The page of a download: file and consent of a confirmed address, or else the form of the confirmation. */
export function downloadPage(locale: Locale, { download, bytes, path }: DownloadPage): HttpResponse {
  const { email, consent, confirmed_at } = download;
  const title = locale.t("freeDownload.of", { title: download.title });
  const notOfferedText = `<p class="state bad" role="alert">${locale.t("freeDownload.notOffered")}</p>`;
  if (confirmed_at === null)
    return freeDownloadHtml(bytes === null ? 410 : 200, {
      ...kindIn(locale),
      title,
      body: `<h1>${titleOf(locale, download)}</h1>
${
  bytes === null
    ? notOfferedText
    : `<p>${locale.t("freeDownload.askedFor", { email: escapeHtml(email) })}</p>
<form method="post" action="${path}"><p lang="en">“${escapeHtml(consent)}”</p><button>${locale.t("freeDownload.confirm")}</button></form>`
}
${terms(locale, download)}`,
    });
  return freeDownloadHtml(200, {
    ...kindIn(locale),
    title,
    body: `<h1>${titleOf(locale, download)}</h1>
${bytes === null ? notOfferedText : `<p><a class="file" href="${path}/file">${locale.t("freeDownload.download", { size: `${locale.number(bytes / 1_000_000, oneDigit)} MB` })}</a></p>`}
${terms(locale, download)}
<h2>${locale.t("freeDownload.address")}</h2>
${revocation(locale, download, path)}`,
  });
}

const revocation = (
  locale: Locale,
  { email, consent, withdrawn_at, producer_name }: FreeDownload,
  path: string,
): string =>
  withdrawn_at === null
    ? `<p>${locale.t("freeDownload.agreed", { consent: `<span lang="en">${escapeHtml(consent)}</span>` })}</p>
<form method="post" action="${path}/withdraw"><button class="plain">${locale.t("freeDownload.withdraw")}</button></form>`
    : `<p class="state good" role="status">${locale.t("freeDownload.withdrawn", { producer: `<bdi>${escapeHtml(producer_name)}</bdi>`, email: escapeHtml(email) })}</p>
<form method="post" action="${path}"><p lang="en">“${escapeHtml(consentTo(producer_name))}”</p><button class="plain">${locale.t("freeDownload.agreeAgain")}</button></form>`;

/** The page after a request, equal for new and known addresses. */
export const mailSentPage = (locale: Locale, beat: FreeBeat): HttpResponse =>
  freeDownloadHtml(200, {
    ...kindIn(locale),
    title: locale.t("library.mailed"),
    body: `<h1>${locale.t("library.mailed")}</h1>
<p class="state good" role="status">${locale.t("freeDownload.mailed", { title: titleOf(locale, beat) })}</p>
<p class="faint">${locale.t("library.mailedHint", linkTo(`/beats/${beat.id}#free-download`))}</p>`,
  });

/** The page of a refused request, with a link to continue. */
export const refusalPage = (locale: Locale, status: number, problem: string, beatId: number | null): HttpResponse =>
  freeDownloadHtml(status, {
    ...kindIn(locale),
    title: locale.t("freeDownload.refused"),
    body: `<h1>${locale.t("freeDownload.refused")}</h1>
<p class="state bad" role="alert">${escapeHtml(problem)}</p>
<p><a href="${beatId === null ? "/" : `/beats/${beatId}#free-download`}">${locale.t(beatId === null ? "freeDownload.toBeats" : "freeDownload.toBeat")}</a></p>`,
  });
