import { ApiError } from "@beatmarket/foundation/errors.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { requireOwnForm } from "@beatmarket/http/admission/own-origin.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
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
  type FreeBeat,
  findFreeBeat,
  findFreeDownload,
  requestFreeDownload,
  withdrawConsent,
} from "./free-downloads.ts";
import { downloadPage, mailSentPage, refusalPage } from "./html.ts";

/** A form of three fields. */
const maxBodyBytes = 1_000;
/** Limits of the mails that people without an account request: from one network, and to one mailbox. */
const fromNetwork = { burst: 10, perSecond: 10 / 3_600 };
const toMailbox = { burst: 5, perSecond: 5 / 3_600 };

export interface FreeDownloadParts {
  checkout: Pick<SettlementDependencies, "db" | "clock" | "publicUrl">;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  /** The signed-in account; null without one. */
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

/** Mails the link to an address. Redirects a signed-in account, whose address is confirmed, to the page. */
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
