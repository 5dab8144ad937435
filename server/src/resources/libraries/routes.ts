import type { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { requireOwnForm } from "@beatmarket/http/admission/own-origin.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { problemText, readerLocale } from "../../access/reader-locale.ts";
import type { ContactParts } from "../contacts/messages.ts";
import { invoiceResponse } from "../invoices/pdf/printer.ts";
import { findInvoice, listInvoices } from "../invoices/queries.ts";
import { queueMails } from "../mails/outbox.ts";
import type { SettlementDependencies } from "../orders/checkout.ts";
import type { Fulfilments } from "../orders/fulfilment/fulfilments.ts";
import { orderFileRoute } from "../orders/fulfilment/routes.ts";
import { normalEmail } from "../users/accounts.ts";
import { contactPageRoutes } from "./contact-page.ts";
import { type LibraryFiles, libraryForm, libraryPage, linkExpired, linksEndedPage, mailSentPage } from "./html.ts";
import {
  endLinks,
  findLibrary,
  findOrderOf,
  isExpired,
  type Library,
  type LibraryLink,
  linkDays,
  listOrdersOf,
  openLibrary,
  readLink,
  signLink,
} from "./libraries.ts";

const ordersPerPage = 20;
/** A form of one field. */
const maxBodyBytes = 1_000;
/** Limits of the mails that people without an account request: from one network, and to one mailbox. */
const fromNetwork = { burst: 10, perSecond: 10 / 3_600 };
const toMailbox = { burst: 3, perSecond: 3 / 3_600 };

export interface LibraryRouteParts {
  checkout: Pick<SettlementDependencies, "db" | "clock" | "publicUrl">;
  secrets: Pick<SecretBox, "downloadKeys">;
  fulfilments: Fulfilments;
  printer: Pick<DocumentPrinter, "print">;
  concurrency: Pick<ConcurrencyLimiter, "run">;
  contacts: ContactParts;
}

const pathOf = (token: string): string => `/library/${token}`;

/** A link to the library of an address, with `at` as the time of issue; null for an address without orders. */
export async function libraryUrl(
  { checkout: { db, publicUrl }, secrets }: Pick<LibraryRouteParts, "checkout" | "secrets">,
  email: string,
  at: Date,
): Promise<string | null> {
  const library = await openLibrary(db, email, at);
  if (library === undefined) return null;
  return publicUrl + pathOf(signLink(secrets, { libraryId: library.id, issuedAtMs: at.getTime() }));
}

/**
 * `/library/{token}` (docs/buying.md, The link in the mail): the purchases of an address, for everyone with a link that
 * was mailed there. The link does not sign in. `/library` mails a new link.
 */
export function libraryRoutes(parts: LibraryRouteParts): Route[] {
  const { concurrency, fulfilments, secrets, checkout } = parts;
  const limits = {
    networks: new TokenBuckets(checkout.clock, fromNetwork),
    mailboxes: new TokenBuckets(checkout.clock, toMailbox),
  };
  const withPermit = (context: RequestContext, run: () => Promise<Content>) =>
    concurrency.run("page", run, context.receivedMs);
  const form = { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } } as const;
  return [
    openRoute("/library", (context) => emptyForm(readerLocale(context))),
    openRoute("/library", (context) => withPermit(context, () => mailLink(parts, limits, context)), form),
    openRoute(pathOf(":token"), (context) => withPermit(context, () => show(parts, context)), { isVital: true }),
    openRoute(`${pathOf(":token")}/end`, (context) => withPermit(context, () => endAllLinks(parts, context)), form),
    invoiceRoute(pathOf(":token"), parts),
    ...contactPageRoutes(pathOf(":token"), {
      contacts: parts.contacts,
      withPermit,
      find: async ({ token = "" }, orderId) => {
        const link = readLink(secrets, token);
        const library = link && (await findLibraryOfLink(parts, link));
        return library ? findOrderOf(checkout.db, library.email, orderId) : undefined;
      },
      unknownLink: (context) => unknownLink(readerLocale(context)),
    }),
    orderFileRoute(
      pathOf(":token"),
      fulfilments,
      async ({ token }, orderId) => {
        const link = readLink(secrets, token ?? "");
        const library = link && (await concurrency.run("media", () => findLibraryOfLink(parts, link)));
        return library ? concurrency.run("media", () => findOrderOf(checkout.db, library.email, orderId)) : undefined;
      },
      (context) => unknownLink(readerLocale(context)),
    ),
  ];
}

const emptyForm = (locale: Locale) => libraryForm(locale, 200, { title: locale.t("library.title") });

const unknownLink = (locale: Locale) =>
  libraryForm(locale, 404, { title: locale.t("library.unknown"), problem: locale.t("library.unknownHint") });

/** The library of a link; null for an expired link, undefined for an unknown library. */
async function findLibraryOfLink(
  { checkout: { db, clock } }: LibraryRouteParts,
  link: LibraryLink,
): Promise<Library | null | undefined> {
  const library = await findLibrary(db, link.libraryId);
  return library && (isExpired(link, library.links_ended_at, clock.nowMs()) ? null : library);
}

async function show(parts: LibraryRouteParts, context: RequestContext): Promise<Content> {
  const { params, query } = context;
  const { token = "" } = params;
  const locale = readerLocale(context);
  const link = readLink(parts.secrets, token);
  if (link === null) return unknownLink(locale);
  const library = await findLibraryOfLink(parts, link);
  if (library === undefined) return unknownLink(locale);
  if (library === null) return linkExpired(locale, token);
  const page = Number(/(?:^|&)page=([1-9]\d{0,5})(?:&|$)/.exec(query)?.[1] ?? 1);
  // One order more than the page shows, to learn whether another page follows.
  const range = { limit: ordersPerPage + 1, offset: (page - 1) * ordersPerPage };
  const ordersOfRange = await listOrdersOf(parts.checkout.db, library.email, range);
  const orders = ordersOfRange.slice(0, ordersPerPage);
  const files = new Map<number, LibraryFiles>();
  for (const { id, user_id, status } of orders)
    if (status === "completed")
      files.set(id, {
        kinds: await parts.fulfilments.kinds(user_id, id),
        bytes: await parts.fulfilments.bytes(id),
      });
  const invoices = await listInvoices(
    parts.checkout.db,
    orders.map(({ id }) => id),
  );
  const endsAt = new Date(link.issuedAtMs + linkDays * 86_400_000);
  const hasMore = ordersOfRange.length > ordersPerPage;
  const path = pathOf(token);
  return libraryPage(locale, { email: library.email, path, orders, files, invoices, endsAt, page, hasMore });
}

/** `path/invoices/{id}`: an invoice or a credit note of one of the orders, as PDF. */
const invoiceRoute = (path: string, parts: LibraryRouteParts): Route => ({
  operationId: null,
  method: "GET",
  path: `${path}/invoices/:invoice_id`,
  access: { by: "anyone" },
  headers: privatePageHeaders,
  waits: true,
  handle: async ({ db, context, underPermit }): Promise<Content> => {
    const { token = "", invoice_id = "" } = context.params;
    const locale = readerLocale(context);
    const link = readLink(parts.secrets, token);
    if (link === null || !/^[1-9]\d{0,14}$/.test(invoice_id)) return unknownLink(locale);
    const invoice = await underPermit(async () => {
      const library = await findLibraryOfLink(parts, link);
      if (!library) return undefined;
      const invoice = await findInvoice(db, Number(invoice_id), "all");
      return (await findOrderOf(db, library.email, invoice.orderId)) && invoice;
    });
    if (invoice === undefined) return unknownLink(locale);
    const { headers, ...response } = await invoiceResponse(parts.printer, invoice, { isCopy: false });
    return { ...response, headers: { ...privatePageHeaders, ...headers } };
  },
  respond: (response) => response as Content,
});

/** Ends this link and all others to the library. */
async function endAllLinks(parts: LibraryRouteParts, context: RequestContext): Promise<Content> {
  requireOwnForm(context.requestHeaders, context.publicUrl);
  const locale = readerLocale(context);
  const link = readLink(parts.secrets, context.params.token ?? "");
  const library = link === null ? undefined : await findLibraryOfLink(parts, link);
  if (library === undefined) return unknownLink(locale);
  const { db, clock } = parts.checkout;
  if (library !== null) await endLinks(db, library.email, new Date(clock.nowMs()));
  return linksEndedPage(locale);
}

/**
 * Mails a link to a typed address, or to the address of an expired link. Response and duration do not reveal whether
 * the address has orders: the text of the mail is chosen when it is sent.
 */
async function mailLink(
  parts: LibraryRouteParts,
  limits: { networks: TokenBuckets; mailboxes: TokenBuckets },
  context: RequestContext,
): Promise<Content> {
  const { body, requestHeaders, publicUrl, clientAddress } = context;
  requireOwnForm(requestHeaders, publicUrl);
  const locale = readerLocale(context);
  const fields = new URLSearchParams(body?.toString("utf8"));
  if (!limits.networks.take(clientNetwork(clientAddress))) return tooMany(locale, "library.tooManyNetwork");
  const typedEmail = fields.get("email") ?? "";
  const { db, clock } = parts.checkout;
  try {
    const email = fields.has("token") ? await addressOf(parts, fields.get("token") ?? "") : normalEmail(typedEmail);
    if (email === undefined) return unknownLink(locale);
    // Labels after `+` share one mailbox.
    if (!limits.mailboxes.take(email.replace(/^([^+]*)\+.*@/s, "$1@")))
      return tooMany(locale, "library.tooManyAddress");
    const facts = { opens: "library", link: `${parts.checkout.publicUrl}/library` };
    await queueMails(
      db,
      [{ userId: null, to: email, template: "library", language: locale.language, facts }],
      new Date(clock.nowMs()),
    );
    return mailSentPage(locale);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    return libraryForm(locale, 400, {
      title: locale.t("library.title"),
      problem: problemText(locale, error),
      email: typedEmail,
    });
  }
}

/** The address to which a link was mailed, expired or not. */
async function addressOf({ secrets, checkout: { db } }: LibraryRouteParts, token: string): Promise<string | undefined> {
  const link = readLink(secrets, token);
  return link === null ? undefined : (await findLibrary(db, link.libraryId))?.email;
}

const tooMany = (locale: Locale, problem: "library.tooManyNetwork" | "library.tooManyAddress"): Content => {
  const page = libraryForm(locale, 429, { title: locale.t("library.title"), problem: locale.t(problem) });
  return { ...page, headers: { ...page.headers, "retry-after": "600" } };
};
