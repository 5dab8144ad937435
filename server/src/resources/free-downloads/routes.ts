import { ApiError } from "@beatmarket/foundation/errors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { requireOwnForm } from "@beatmarket/http/admission/own-origin.ts";
import { type HtmlPage, htmlPage, privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { type Account, permittedAccount } from "../../access/account.ts";
import { problemText, readerLocale } from "../../access/reader-locale.ts";
import { queueMails } from "../mails/outbox.ts";
import type { SettlementDependencies } from "../orders/checkout.ts";
import { normalEmail } from "../users/accounts.ts";
import {
  confirmFreeDownload,
  consentTo,
  type FreeBeat,
  type FreeDownload,
  findFreeBeat,
  findFreeDownload,
  requestFreeDownload,
  withdrawConsent,
} from "./free-downloads.ts";

/** A form of three fields. */
const maxBodyBytes = 1_000;
/** Limits of the mails that people without an account request: from one network, and to one mailbox. */
const fromNetwork = { burst: 10, perSecond: 10 / 3_600 };
const toMailbox = { burst: 5, perSecond: 5 / 3_600 };

interface FreeDownloadParts {
  checkout: Pick<SettlementDependencies, "db" | "clock" | "publicUrl">;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  /** The signed-in account; null if nobody is signed in. */
  findAccount(headers: Headers): Promise<Account | null>;
}

const pathOf = (token: string): string => `/free-downloads/${token}`;

/**
 * The tagged MP3 of a beat in exchange for an address that its owner confirms (docs/licenses.md, Free downloads). Works
 * without scripts.
 */
export function freeDownloadRoutes(parts: FreeDownloadParts): Route[] {
  const { concurrency, checkout } = parts;
  const limits = {
    networks: new TokenBuckets(checkout.clock, fromNetwork),
    mailboxes: new TokenBuckets(checkout.clock, toMailbox),
  };
  const withPermit = (context: RequestContext, run: () => Promise<Content>) =>
    concurrency.run("page", run, context.receivedMs);
  const form = { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } } as const;
  return [
    openRoute("/free-downloads", (context) => withPermit(context, () => request(parts, limits, context)), form),
    openRoute(pathOf(":token"), (context) => withPermit(context, () => show(parts, context)), { isVital: true }),
    openRoute(
      pathOf(":token"),
      (context) => withPermit(context, () => change(parts, context, confirmFreeDownload)),
      form,
    ),
    openRoute(
      `${pathOf(":token")}/withdraw`,
      (context) => withPermit(context, () => change(parts, context, withdrawConsent)),
      form,
    ),
  ];
}

/**
 * Mails the link to the typed e-mail address. Redirects a signed-in account, whose e-mail address is confirmed, to the
 * page.
 */
async function request(
  { checkout: { db, clock, publicUrl }, findAccount }: FreeDownloadParts,
  limits: { networks: TokenBuckets; mailboxes: TokenBuckets },
  context: RequestContext,
): Promise<Content> {
  requireOwnForm(context.requestHeaders, context.publicUrl);
  const locale = readerLocale(context);
  const fields = new URLSearchParams(context.body?.toString("utf8"));
  const id = /^[1-9]\d{0,8}$/.test(fields.get("beat_id") ?? "") ? Number(fields.get("beat_id")) : null;
  const now = new Date(clock.nowMs());
  const beat = id === null ? undefined : await findFreeBeat(db, id, now);
  if (beat === undefined) return refusalPage(locale, 404, locale.t("freeDownload.notOffered"), null);
  try {
    if (fields.get("consent") !== "yes") return refusalPage(locale, 400, locale.t("freeDownload.noConsent"), beat.id);
    const account = await findAccount(context.webHeaders);
    if (account !== null) {
      const { personId, email } = permittedAccount(account, "self");
      const token = await requestFreeDownload(db, { beat, email: normalEmail(email), userId: personId, now });
      return seeOther(pathOf(token));
    }
    const email = normalEmail(fields.get("email") ?? "");
    if (!limits.networks.take(clientNetwork(context.clientAddress)))
      return tooMany(locale, "library.tooManyNetwork", beat);
    // Labels after `+` share one mailbox.
    if (!limits.mailboxes.take(email.replace(/^([^+]*)\+.*@/s, "$1@")))
      return tooMany(locale, "library.tooManyAddress", beat);
    await transact(db, async (transaction) => {
      const token = await requestFreeDownload(transaction, { beat, email, userId: null, now });
      const facts = { title: beat.title, producer: beat.producer_name, link: publicUrl + pathOf(token) };
      const { language } = locale;
      await queueMails(transaction, [{ userId: null, to: email, template: "free-download", language, facts }], now);
    });
    return mailSentPage(locale, beat);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const page = refusalPage(locale, error.status, problemText(locale, error), beat.id);
    return { ...page, headers: { ...page.headers, ...error.headers } };
  }
}

async function show({ checkout: { db, clock } }: FreeDownloadParts, context: RequestContext): Promise<Content> {
  const locale = readerLocale(context);
  const download = await findFreeDownload(db, context.params.token ?? "");
  if (download === undefined) return refusalPage(locale, 404, locale.t("freeDownload.badLink"), null);
  const beat = await findFreeBeat(db, download.beat_id, new Date(clock.nowMs()));
  return downloadPage(locale, { download, bytes: beat?.bytes ?? null, path: pathOf(download.token) });
}

/** Confirms or withdraws, and redirects to the page. */
async function change(
  { checkout: { db, clock } }: FreeDownloadParts,
  { params, requestHeaders, publicUrl }: RequestContext,
  changeDownload: typeof confirmFreeDownload,
): Promise<Content> {
  requireOwnForm(requestHeaders, publicUrl);
  const token = params.token ?? "";
  await changeDownload(db, token, new Date(clock.nowMs()));
  return seeOther(pathOf(encodeURIComponent(token)));
}

const seeOther = (location: string): HttpResponse => ({ status: 303, headers: { ...privatePageHeaders, location } });

function tooMany(
  locale: Locale,
  problem: "library.tooManyNetwork" | "library.tooManyAddress",
  { id }: FreeBeat,
): HttpResponse {
  const page = refusalPage(locale, 429, locale.t(problem), id);
  return { ...page, headers: { ...page.headers, "retry-after": "600" } };
}

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

interface DownloadPage {
  download: FreeDownload;
  /** Null while the producer does not offer the file. The consent can still be withdrawn. */
  bytes: number | null;
  /** The path of the page, with its token. */
  path: string;
}

/** The page of a download: file and consent of a confirmed address, or else the form of the confirmation. */
function downloadPage(locale: Locale, { download, bytes, path }: DownloadPage): HttpResponse {
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
const mailSentPage = (locale: Locale, beat: FreeBeat): HttpResponse =>
  freeDownloadHtml(200, {
    ...kindIn(locale),
    title: locale.t("library.mailed"),
    body: `<h1>${locale.t("library.mailed")}</h1>
<p class="state good" role="status">${locale.t("freeDownload.mailed", { title: titleOf(locale, beat) })}</p>
<p class="faint">${locale.t("library.mailedHint", linkTo(`/beats/${beat.id}#free-download`))}</p>`,
  });

/** The page of a refused request, with a link to continue. */
const refusalPage = (locale: Locale, status: number, problem: string, beatId: number | null): HttpResponse =>
  freeDownloadHtml(status, {
    ...kindIn(locale),
    title: locale.t("freeDownload.refused"),
    body: `<h1>${locale.t("freeDownload.refused")}</h1>
<p class="state bad" role="alert">${escapeHtml(problem)}</p>
<p><a href="${beatId === null ? "/" : `/beats/${beatId}#free-download`}">${locale.t(beatId === null ? "freeDownload.toBeats" : "freeDownload.toBeat")}</a></p>`,
  });
