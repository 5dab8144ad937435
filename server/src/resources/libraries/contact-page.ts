import { ApiError } from "@beatmarket/foundation/errors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { requireOwnForm } from "@beatmarket/http/admission/own-origin.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { maxTextLength } from "@beatmarket/http/input/read-text.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import type { Locale } from "../../../../contract/texts/locale.ts";
import { problemText, readerLocale } from "../../access/reader-locale.ts";
import { type ContactParts, listMessages, type Message, writeMessage } from "../contacts/messages.ts";
import { type ContactOrder, findContactOrder } from "../contacts/parties.ts";
import {
  createRefundRequest,
  listRefundRequests,
  type RefundReason,
  type RefundRequest,
  refundReasons,
} from "../contacts/refund-requests.ts";
import { isFullyRefunded } from "../orders/order.ts";
import { kindIn, libraryHtml } from "./html.ts";

/** A form has one text, each character of which may take nine bytes. */
const maxBodyBytes = 20_000;

export interface ContactPageParts {
  contacts: ContactParts;
  withPermit(context: RequestContext, run: () => Promise<Content>): Promise<Content>;
  /** Finds an order in the library of a link. Undefined for an expired link, and for an order of another library. */
  find(params: RequestContext["params"], orderId: number): Promise<{ id: number } | undefined>;
  unknownLink(context: RequestContext): Content;
}

/** A form that was refused, with the problem and the typed text. */
interface RefusedForm {
  status: number;
  problem: string;
  fields: URLSearchParams;
}

/**
 * `path/orders/{id}`, for a buyer without an account: the messages between buyer and producer of an order, the refund
 * requests, and a form for each.
 */
export function contactPageRoutes(
  path: string,
  { contacts, withPermit, find, unknownLink }: ContactPageParts,
): Route[] {
  const show = async (locale: Locale, orderId: number, back: string, typed?: RefusedForm): Promise<HttpResponse> => {
    const order = await findContactOrder(contacts.db, orderId, {});
    const messages = await listMessages(contacts.db, orderId);
    const requests = await listRefundRequests(contacts.db, orderId);
    return contactPage(locale, { order, messages, requests, back, typed });
  };
  const send = async (orderId: number, fields: URLSearchParams): Promise<void> => {
    if (fields.has("text"))
      return writeMessage(contacts, { orderId, author: "buyer", text: fields.get("text") ?? "", party: {} });
    const reason = fields.get("reason") ?? "";
    const details = fields.get("details") ?? "";
    return createRefundRequest(contacts, { orderId, reason, details, party: {} });
  };
  const respondTo = (method: "GET" | "POST") => (context: RequestContext) =>
    withPermit(context, async () => {
      const { params, body, requestHeaders, publicUrl } = context;
      if (method === "POST") requireOwnForm(requestHeaders, publicUrl);
      const { token = "", order_id = "" } = params;
      if (!/^[1-9]\d{0,14}$/.test(order_id)) return unknownLink(context);
      const order = await find(params, Number(order_id));
      if (order === undefined) return unknownLink(context);
      const back = path.replace(":token", token);
      const locale = readerLocale(context);
      if (method === "GET") return show(locale, order.id, back);
      const fields = new URLSearchParams(body?.toString("utf8"));
      try {
        await send(order.id, fields);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        return show(locale, order.id, back, { status: error.status, problem: problemText(locale, error), fields });
      }
      return { status: 303, headers: { ...privatePageHeaders, location: `${back}/orders/${order.id}` } };
    });
  const orderPath = `${path}/orders/:order_id`;
  return [
    openRoute(orderPath, respondTo("GET")),
    openRoute(orderPath, respondTo("POST"), { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } }),
  ];
}

interface ContactPage {
  order: ContactOrder;
  messages: readonly Message[];
  requests: readonly RefundRequest[];
  /** The path of the library's page. */
  back: string;
  typed: RefusedForm | undefined;
}

function contactPage(locale: Locale, { order, messages, requests, back, typed }: ContactPage): HttpResponse {
  const isRefunded = isFullyRefunded(order);
  const canAsk = !isRefunded && order.amount_cents > 0 && !requests.some(({ state }) => state === "open");
  const enteredText = (field: string) => escapeHtml(typed?.fields.get(field) ?? "");
  const path = `${back}/orders/${order.id}`;
  return libraryHtml(typed?.status ?? 200, {
    ...kindIn(locale),
    title: locale.t("order.title", { order: String(order.id) }),
    body: `<h1 dir="auto">${escapeHtml(order.title)}</h1>
<p>${locale.t("order.by", { order: String(order.id), producer: `<bdi>${escapeHtml(order.producer_name)}</bdi>`, link: `<a href="${back}">`, end: "</a>" })}</p>
${typed === undefined ? "" : `<p class="state bad" role="alert">${escapeHtml(typed.problem)}</p>`}
<h2>${locale.t("order.write")}</h2>
<p class="faint">${locale.t("order.writeHint")}</p>
${messages.length === 0 ? "" : `<ul>\n${messages.map((message) => messageItem(locale, message, order)).join("\n")}\n</ul>`}
<form method="post" action="${path}">
<label><span>${locale.t("order.message")}</span> <textarea name="text" required maxlength="${maxTextLength}">${enteredText("text")}</textarea></label>
<button>${locale.t("order.send")}</button>
</form>
<h2>${locale.t("order.refund")}</h2>
${requests.map((request) => requestItem(locale, request)).join("\n")}
${isRefunded && requests.length === 0 ? `<p>${locale.t("order.refundedInFull")}</p>` : ""}
${
  canAsk
    ? `<p class="faint">${locale.t("order.refundHint")}</p>
<form method="post" action="${path}">
<label><span>${locale.t("order.reason")}</span> <select name="reason" required>${(
        Object.keys(refundReasons) as RefundReason[]
      )
        .map(
          (name) =>
            `<option value="${name}"${typed?.fields.get("reason") === name ? " selected" : ""}>${locale.t(`refund.${name}`)}</option>`,
        )
        .join("")}</select></label>
<label><span>${locale.t("order.details")}</span> <textarea name="details" required maxlength="${maxTextLength}">${enteredText("details")}</textarea></label>
<button class="plain">${locale.t("order.refund")}</button>
</form>`
    : ""
}`,
  });
}

const day = (locale: Locale, time: Date): string => `<time datetime="${time.toISOString()}">${locale.day(time)}</time>`;

const messageItem = (
  locale: Locale,
  { author, text, created_at }: Message,
  { producer_name }: ContactOrder,
): string => `<li>
<div class="faint">${author === "buyer" ? locale.t("order.you") : `<bdi>${escapeHtml(producer_name)}</bdi>`}, ${day(locale, created_at)}</div>
<div class="message" dir="auto">${text === null ? locale.t("order.deleted") : escapeHtml(text)}</div>
</li>`;

const requestItem = (locale: Locale, { reason, state, response, created_at }: RefundRequest): string =>
  `<p>${locale.t("order.asked", { day: day(locale, created_at), reason: locale.t(`refund.${reason}`), outcome: locale.t(`order.${state}`) })} ${response === null ? "" : `<span class="message" dir="auto">${escapeHtml(response)}</span>`}</p>`;
