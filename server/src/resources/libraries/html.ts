import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { type HtmlPage, htmlPage } from "@beatmarket/http/html-page.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import type { ListedInvoice } from "../invoices/queries.ts";
import { fileLabels } from "../orders/fulfilment/file-route.ts";
import type { FileKind } from "../orders/fulfilment/fulfilment.ts";
import { isFullyRefunded } from "../orders/order.ts";
import type { LibraryOrder } from "./libraries.ts";
import { linkDays } from "./links.ts";

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

/** What an order brings. */
export interface LibraryFiles {
  kinds: readonly FileKind[];
  /** Of all of them; null while one is not made yet. */
  bytes: number | null;
}

export interface LibraryPage {
  email: string;
  /** The path of the page with its token. */
  path: string;
  orders: readonly LibraryOrder[];
  /** By the id of the order. */
  files: ReadonlyMap<number, LibraryFiles>;
  /** Of all these orders. */
  invoices: readonly ListedInvoice[];
  /** When the link is over. */
  endsAt: Date;
  page: number;
  hasMore: boolean;
}

export function libraryPage({
  email,
  path,
  orders,
  files,
  invoices,
  endsAt,
  page,
  hasMore,
}: LibraryPage): HttpResponse {
  const ends = endsAt.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const turn = [
    ...(page > 1 ? [`<a href="${path}?page=${page - 1}">Newer orders</a>`] : []),
    ...(hasMore ? [`<a href="${path}?page=${page + 1}">Older orders</a>`] : []),
  ];
  return libraryHtml(200, {
    title: "Your library",
    body: `<h1>Your library</h1>
<p>What was bought with ${escapeHtml(email)}.</p>
${orders.length === 0 ? `<p class="state">Nothing stands here.</p>` : `<ul>\n${orders.map((order) => item(order, path, files.get(order.id) ?? noFiles, invoices)).join("\n")}\n</ul>`}
${turn.length === 0 ? "" : `<p>${turn.join(" · ")}</p>`}
<p class="faint">This link works until ${ends} (UTC). Afterwards it mails you a new one. Anybody who has it sees this page, so pass on the files and not the link.
<a href="/portal/register?next=%2Flibrary">Register</a> with this address, or <a href="/portal/sign-in?next=%2Flibrary">sign in</a> with it, and the orders are in your account.</p>
<form method="post" action="${path}/end"><button class="plain">End all links to this page</button></form>`,
  });
}

const noFiles: LibraryFiles = { kinds: [], bytes: null };

const item = (
  order: LibraryOrder,
  path: string,
  { kinds, bytes }: LibraryFiles,
  invoices: readonly ListedInvoice[],
): string => `<li>
<a class="title" dir="auto" href="/beats/${order.beat_id}">${escapeHtml(order.title)}</a> <span class="faint">by <bdi>${escapeHtml(order.producer_name)}</bdi></span>
<div class="faint">${escapeHtml(order.license_type)} license · ${escapeHtml(formatAmount(order.amount_cents, order.currency))} · order ${order.id}, <time datetime="${order.created_at.toISOString()}">${order.created_at.toISOString().slice(0, 10)}</time></div>
<div>${stateOf(order)}</div>
${kinds.includes("mp3") ? `<audio controls preload="none" src="${path}/files/${order.id}/mp3" aria-label="${escapeHtml(order.title)}"></audio>` : ""}
<div class="files">${[
  ...(kinds.length === 0
    ? []
    : [
        `<a href="${path}/files/${order.id}/archive">Download all (ZIP${bytes === null ? "" : `, ${sizeText(bytes)}`})</a>`,
      ]),
  ...kinds.map((kind) => `<a href="${path}/files/${order.id}/${kind}">${fileLabels[kind]}</a>`),
  ...(order.license_id === null ? [] : [`<a href="/licenses/${order.license_id}">Public page of the license</a>`]),
  ...invoices
    .filter(({ orderId }) => orderId === order.id)
    .map(
      ({ id, kind, name }) =>
        `<a href="${path}/invoices/${id}">${kind === "invoice" ? "Invoice" : "Credit note"} ${name} (PDF)</a>`,
    ),
].join("\n")}</div>
${order.status === "completed" ? `<div><a href="${path}/orders/${order.id}" aria-label="Write to the producer, ask for a refund: ${escapeHtml(order.title)}, order ${order.id}">Write to the producer, ask for a refund</a></div>` : ""}
</li>`;

/** As file managers show it, in powers of 1000. */
function sizeText(bytes: number): string {
  const [divisor, unit] = bytes >= 999_500_000 ? [1e9, "GB"] : bytes >= 999_500 ? [1e6, "MB"] : [1e3, "kB"];
  const size = bytes / Number(divisor);
  return `${size.toLocaleString("en", { maximumFractionDigits: size >= 99.95 ? 0 : 1 })} ${unit}`;
}

function stateOf(order: LibraryOrder): string {
  const refunded = escapeHtml(formatAmount(order.refunded_cents, order.currency));
  if (order.status !== "completed") return `Not bought; ${refunded} refunded`;
  if (isFullyRefunded(order)) return `Refunded: the license has ended.`;
  return order.refunded_cents > 0 ? `Paid; ${refunded} refunded` : "Paid";
}

/** A link that opens nothing any more. */
export const linkOver = (token: string): HttpResponse =>
  libraryHtml(410, {
    title: "This link is over",
    body: `<h1>This link is over</h1>
<p>A link to a library works for ${linkDays} days, and until its owner ends it. We can mail a new one to the address that this one was mailed to.</p>
<form method="post" action="/library"><input type="hidden" name="token" value="${escapeHtml(token)}"><button>Mail me a new link</button></form>`,
  });

/** Asks for the address; `problem` says what is wrong with the last one. */
export const libraryForm = (
  status: number,
  { title, problem = null, email = "" }: { title: string; problem?: string | null; email?: string },
): HttpResponse =>
  libraryHtml(status, {
    title,
    body: `<h1>${escapeHtml(title)}</h1>
${problem === null ? "" : `<p class="state bad" role="alert">${escapeHtml(problem)}</p>`}
<p>Did you buy without an account? We mail you a link to your files. No password is needed.</p>
<form method="post" action="/library">
<label><span>E-mail address of the purchase</span> <input type="email" name="email" required maxlength="254" autocomplete="email" value="${escapeHtml(email)}"></label>
<button>Mail me the link</button>
</form>
<p class="faint">With an account, <a href="/portal/library">sign in</a> instead.</p>`,
  });

/** The same whether the address has orders or not. */
export const linkMailed = (): HttpResponse =>
  libraryHtml(200, {
    title: "Look into your mailbox",
    body: `<h1>Look into your mailbox</h1>
<p class="state good" role="status">A mail is on its way. It has the link to your files, or says that nothing was bought with the address.</p>
<p class="faint">Nothing there after some minutes? Look into the folder for spam, then <a href="/library">try again</a>.</p>`,
  });

export const linksEnded = (): HttpResponse =>
  libraryHtml(200, {
    title: "All links are over",
    body: `<h1>All links are over</h1>
<p class="state good" role="status">No link that was mailed so far opens this library any more.</p>
<p><a href="/library">Mail me a new link</a></p>`,
  });
