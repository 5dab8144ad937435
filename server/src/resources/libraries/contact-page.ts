import { ApiError } from "@beatmarket/foundation/errors.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import type { RequestContext } from "@beatmarket/http/request-context.ts";
import { requireOwnForm } from "../../access/own-origin.ts";
import { type ContactParts, listMessages, type Message, writeMessage } from "../contacts/messages.ts";
import { type ContactOrder, findContactOrder, maxTextLength } from "../contacts/parties.ts";
import { askForRefund, listRefundRequests, type RefundRequest, refundReasons } from "../contacts/refund-requests.ts";
import { isFullyRefunded } from "../orders/order.ts";
import { libraryHtml } from "./html.ts";

/** Two forms of one text, each character of which may take nine bytes. */
const maxBodyBytes = 20_000;

export interface ContactPageParts {
  contacts: ContactParts;
  work(context: RequestContext, run: () => Promise<Content>): Promise<Content>;
  /** Undefined for a link that is over, and for an order that its library does not have. */
  find(params: RequestContext["params"], orderId: number): Promise<{ id: number } | undefined>;
  unknown(): Content;
}

/** What was typed into a form that was refused. */
interface Typed {
  status: number;
  problem: string;
  fields: URLSearchParams;
}

/** `path/orders/{id}`: what buyer and producer of an order have written, for a buyer without an account, and the two forms. */
export function contactPageRoutes(path: string, { contacts, work, find, unknown }: ContactPageParts): Route[] {
  const show = async (orderId: number, back: string, typed?: Typed): Promise<HttpResponse> => {
    const order = await findContactOrder(contacts.db, orderId, {});
    const messages = await listMessages(contacts.db, orderId);
    return contactPage({ order, messages, requests: await listRefundRequests(contacts.db, orderId), back, typed });
  };
  const send = async (orderId: number, fields: URLSearchParams): Promise<void> => {
    if (fields.has("text"))
      return writeMessage(contacts, { orderId, author: "buyer", text: fields.get("text") ?? "", party: {} });
    const [reason, details] = [fields.get("reason") ?? "", fields.get("details") ?? ""];
    return askForRefund(contacts, { orderId, reason, details, party: {} });
  };
  const respond = (isPost: boolean) => (context: RequestContext) =>
    work(context, async () => {
      const { params, body, requestHeaders, publicUrl } = context;
      if (isPost) requireOwnForm(requestHeaders, publicUrl);
      const { token = "", order_id = "" } = params;
      if (!/^[1-9]\d{0,14}$/.test(order_id)) return unknown();
      const order = await find(params, Number(order_id));
      if (order === undefined) return unknown();
      const back = path.replace(":token", token);
      if (!isPost) return show(order.id, back);
      const fields = new URLSearchParams(body?.toString("utf8"));
      try {
        await send(order.id, fields);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        return show(order.id, back, { status: error.status, problem: error.details, fields });
      }
      return { status: 303, headers: { ...privatePageHeaders, location: `${back}/orders/${order.id}` } };
    });
  const at = `${path}/orders/:order_id`;
  return [
    openRoute(at, respond(false)),
    openRoute(at, respond(true), { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } }),
  ];
}

interface ContactPage {
  order: ContactOrder;
  messages: readonly Message[];
  requests: readonly RefundRequest[];
  /** The library's page. */
  back: string;
  typed: Typed | undefined;
}

function contactPage({ order, messages, requests, back, typed }: ContactPage): HttpResponse {
  const isRefunded = isFullyRefunded(order);
  const canAsk = !isRefunded && order.amount_cents > 0 && !requests.some(({ state }) => state === "open");
  const typedIn = (field: string) => escapeHtml(typed?.fields.get(field) ?? "");
  const path = `${back}/orders/${order.id}`;
  return libraryHtml(typed?.status ?? 200, {
    title: `Order ${order.id}`,
    body: `<h1 dir="auto">${escapeHtml(order.title)}</h1>
<p>Order ${order.id}, by <bdi>${escapeHtml(order.producer_name)}</bdi>. <a href="${back}">Back to your library</a></p>
${typed === undefined ? "" : `<p class="state bad" role="alert">${escapeHtml(typed.problem)}</p>`}
<h2>Write to the producer</h2>
<p class="faint">We mail it. Neither of you sees the address of the other.</p>
${messages.length === 0 ? "" : `<ul>\n${messages.map((message) => messageItem(message, order)).join("\n")}\n</ul>`}
<form method="post" action="${path}">
<label><span>Message</span> <textarea name="text" required maxlength="${maxTextLength}">${typedIn("text")}</textarea></label>
<button>Send</button>
</form>
<h2>Ask for a refund</h2>
${requests.map(requestItem).join("\n")}
${isRefunded && requests.length === 0 ? "<p>The order is refunded in full.</p>" : ""}
${
  canAsk
    ? `<p class="faint">The operator of this marketplace decides. The producer gets a mail about it. You get a mail with the decision.</p>
<form method="post" action="${path}">
<label><span>Reason</span> <select name="reason" required>${Object.entries(refundReasons)
        .map(
          ([name, label]) =>
            `<option value="${name}"${typed?.fields.get("reason") === name ? " selected" : ""}>${label}</option>`,
        )
        .join("")}</select></label>
<label><span>What is wrong?</span> <textarea name="details" required maxlength="${maxTextLength}">${typedIn("details")}</textarea></label>
<button class="plain">Ask for a refund</button>
</form>`
    : ""
}`,
  });
}

const day = (at: Date): string => `<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 10)}</time>`;

const messageItem = ({ author, text, created_at }: Message, { producer_name }: ContactOrder): string => `<li>
<div class="faint">${author === "buyer" ? "You" : `<bdi>${escapeHtml(producer_name)}</bdi>`}, ${day(created_at)}</div>
<div class="message" dir="auto">${text === null ? "Deleted with its author's account." : escapeHtml(text)}</div>
</li>`;

const outcomes: Readonly<Record<RefundRequest["state"], string>> = {
  open: "It waits for a decision.",
  granted: "It was granted: the money goes back.",
  refused: "It was refused:",
};

const requestItem = ({ reason, state, response, created_at }: RefundRequest): string =>
  `<p>Asked on ${day(created_at)}: ${refundReasons[reason]}. ${outcomes[state]} ${response === null ? "" : `<span class="message" dir="auto">${escapeHtml(response)}</span>`}</p>`;
