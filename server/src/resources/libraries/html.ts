import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { type HtmlPage, htmlPage } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import type { ListedInvoice } from "../invoices/queries.ts";
import type { FileKind } from "../orders/fulfilment/fulfilment.ts";
import { isFullyRefunded } from "../orders/order.ts";
import { type LibraryOrder, linkDays } from "./libraries.ts";

export const libraryHtml: HtmlPage = htmlPage({
  name: "Library",
  hasForms: true,
  hasAudio: true,
  style: `
h2 { margin: 24px 0 8px; font-size: 16px }
ul { margin: 16px 0; padding: 0; list-style: none; border-top: 1px solid var(--line) }
li { padding: 12px 0; border-bottom: 1px solid var(--line) }
a { color: var(--accent) }
.title { font-weight: 600 }
.files { display: flex; flex-wrap: wrap; gap: 4px 16px; padding-top: 4px }
audio { display: block; width: 100%; max-width: 420px; height: 48px; margin-top: 8px }
.files a { font-weight: 600; padding: 6px 0 }
form { display: grid; gap: 12px; margin: 16px 0; max-width: 420px }
label span { display: block; font-weight: 600 }
textarea, select { width: 100%; min-height: 48px; padding: 8px 12px; border: 1px solid var(--faint); border-radius: 8px; background: var(--card);
  color: var(--text); font: inherit }
textarea { min-height: 120px }
.message { white-space: pre-wrap }
input { width: 100%; min-height: 48px; padding: 8px 12px; border: 1px solid var(--faint); border-radius: 8px; background: var(--card);
  color: var(--text); font: inherit }
button { min-height: 48px; padding: 12px 16px; border: 1px solid #6a4fe0; border-radius: 8px; background: #5b3fd6; color: #fff;
  font: inherit; font-weight: 600; cursor: pointer }
.plain { background: none; border-color: var(--faint); color: var(--text) }
:is(button, input, textarea, select, a):focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`,
});

/** The files of an order. */
export interface LibraryFiles {
  kinds: readonly FileKind[];
  /** The total size of the files; null before the first download, which renders missing files. */
  bytes: number | null;
}

export interface LibraryPage {
  email: string;
  /** The path of the page with its token. */
  path: string;
  orders: readonly LibraryOrder[];
  /** The files of each order, by the id of the order. */
  files: ReadonlyMap<number, LibraryFiles>;
  /** The invoices of all these orders. */
  invoices: readonly ListedInvoice[];
  /** The time at which the link expires. */
  endsAt: Date;
  page: number;
  hasMore: boolean;
}

/** The reader's language, and the name of library pages in that language. */
export const kindIn = (locale: Locale) => ({ language: locale.language, kind: locale.t("library.name") });

/** The values of the placeholders around a link in a text. */
const linkTo = (path: string) => ({ link: `<a href="${path}">`, end: "</a>" });

export function libraryPage(
  locale: Locale,
  { email, path, orders, files, invoices, endsAt, page, hasMore }: LibraryPage,
): HttpResponse {
  const pageLinks = [
    ...(page > 1 ? [`<a href="${path}?page=${page - 1}">${locale.t("library.newer")}</a>`] : []),
    ...(hasMore ? [`<a href="${path}?page=${page + 1}">${locale.t("library.older")}</a>`] : []),
  ];
  return libraryHtml(200, {
    ...kindIn(locale),
    title: locale.t("library.title"),
    body: `<h1>${locale.t("library.title")}</h1>
<p>${locale.t("library.boughtWith", { email: escapeHtml(email) })}</p>
${orders.length === 0 ? `<p class="state">${locale.t("library.empty")}</p>` : `<ul>\n${orders.map((order) => item(locale, order, path, files.get(order.id) ?? noFiles, invoices)).join("\n")}\n</ul>`}
${pageLinks.length === 0 ? "" : `<p>${pageLinks.join(" · ")}</p>`}
<p class="faint">${locale.t("library.link", { day: locale.day(endsAt), register: '<a href="/portal/register?next=%2Flibrary">', signIn: '<a href="/portal/sign-in?next=%2Flibrary">', end: "</a>" })}</p>
<form method="post" action="${path}/end"><button class="plain">${locale.t("library.end")}</button></form>`,
  });
}

const noFiles: LibraryFiles = { kinds: [], bytes: null };

const item = (
  locale: Locale,
  order: LibraryOrder,
  path: string,
  { kinds, bytes }: LibraryFiles,
  invoices: readonly ListedInvoice[],
): string => `<li>
<a class="title" dir="auto" href="/beats/${order.beat_id}">${escapeHtml(order.title)}</a> <span class="faint">${locale.t("beat.by", { producer: `<bdi>${escapeHtml(order.producer_name)}</bdi>` })}</span>
<div class="faint">${locale.t(`license.named.${order.license_type}`)} · ${escapeHtml(locale.amount(order.amount_cents, order.currency))} · ${locale.t("library.orderTitle", { order: String(order.id) })}, <time datetime="${order.created_at.toISOString()}">${locale.day(order.created_at)}</time></div>
<div>${stateOf(locale, order)}</div>
${kinds.includes("mp3") ? `<audio controls preload="none" src="${path}/files/${order.id}/mp3" aria-label="${escapeHtml(order.title)}"></audio>` : ""}
<div class="files">${[
  ...(kinds.length === 0
    ? []
    : [
        `<a href="${path}/files/${order.id}/archive">${bytes === null ? locale.t("library.archiveOnly") : locale.t("library.archive", { size: locale.size(bytes) })}</a>`,
      ]),
  ...kinds.map((kind) => `<a href="${path}/files/${order.id}/${kind}">${locale.t(`download.${kind}`)}</a>`),
  ...(order.license_id === null
    ? []
    : [`<a href="/licenses/${order.license_id}">${locale.t("library.licensePage")}</a>`]),
  ...invoices
    .filter(({ orderId }) => orderId === order.id)
    .map(
      ({ id, kind, name }) =>
        `<a href="${path}/invoices/${id}">${locale.t(kind === "invoice" ? "library.invoice" : "library.creditNote", { name })}</a>`,
    ),
].join("\n")}</div>
${order.status === "completed" ? `<div><a href="${path}/orders/${order.id}" aria-label="${locale.t("library.contactThe", { title: escapeHtml(order.title), order: String(order.id) })}">${locale.t("library.contact")}</a></div>` : ""}
</li>`;

function stateOf(locale: Locale, order: LibraryOrder): string {
  const refunded = { amount: escapeHtml(locale.amount(order.refunded_cents, order.currency)) };
  if (order.status !== "completed") return locale.t("library.notBought", refunded);
  if (isFullyRefunded(order)) return locale.t("library.ended");
  return order.refunded_cents > 0 ? locale.t("library.paidPart", refunded) : locale.t("library.paid");
}

/** The page of a link that no longer works. */
export const linkExpired = (locale: Locale, token: string): HttpResponse =>
  libraryHtml(410, {
    ...kindIn(locale),
    title: locale.t("library.over"),
    body: `<h1>${locale.t("library.over")}</h1>
<p>${locale.t("library.overHint", { days: linkDays })}</p>
<form method="post" action="/library"><input type="hidden" name="token" value="${escapeHtml(token)}"><button>${locale.t("library.mailNew")}</button></form>`,
  });

/** The form for the address; `problem` is the error of the last attempt. */
export const libraryForm = (
  locale: Locale,
  status: number,
  { title, problem = null, email = "" }: { title: string; problem?: string | null; email?: string },
): HttpResponse =>
  libraryHtml(status, {
    ...kindIn(locale),
    title,
    body: `<h1>${escapeHtml(title)}</h1>
${problem === null ? "" : `<p class="state bad" role="alert">${escapeHtml(problem)}</p>`}
<p>${locale.t("library.ask")}</p>
<form method="post" action="/library">
<label><span>${locale.t("library.email")}</span> <input type="email" name="email" required maxlength="254" autocomplete="email" value="${escapeHtml(email)}"></label>
<button>${locale.t("library.mailIt")}</button>
</form>
<p class="faint">${locale.t("library.orSignIn", linkTo("/portal/library"))}</p>`,
  });

/** The page after a request for a link. It is the same for addresses with and without orders. */
export const mailSentPage = (locale: Locale): HttpResponse =>
  libraryHtml(200, {
    ...kindIn(locale),
    title: locale.t("library.mailed"),
    body: `<h1>${locale.t("library.mailed")}</h1>
<p class="state good" role="status">${locale.t("library.mailedState")}</p>
<p class="faint">${locale.t("library.mailedHint", linkTo("/library"))}</p>`,
  });

export const linksEndedPage = (locale: Locale): HttpResponse =>
  libraryHtml(200, {
    ...kindIn(locale),
    title: locale.t("library.allOver"),
    body: `<h1>${locale.t("library.allOver")}</h1>
<p class="state good" role="status">${locale.t("library.allOverState")}</p>
<p><a href="/library">${locale.t("library.mailNew")}</a></p>`,
  });
