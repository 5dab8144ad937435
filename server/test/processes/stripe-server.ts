import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

interface Intent {
  id: string;
  object: "payment_intent";
  amount: number;
  currency: string;
  status: string;
  payment_method: string;
  metadata: Record<string, string>;
  last_payment_error: { message: string } | null;
}

/** A local server with the Stripe calls that we use, and test payment methods of its own. */
export interface StripeServer {
  url: URL;
  intents: Intent[];
  /** Ids of refunded intents. */
  refunds: string[];
  /** "POST /v1/payment_intents", in order. */
  calls: string[];
  /** Idempotency keys of the calls that had one. */
  keys: string[];
}

const methods: Record<string, { status: string; error?: { code: string; message: string } }> = {
  pm_card_visa: { status: "succeeded" },
  pm_card_authenticationRequired: { status: "requires_action" },
  pm_slow_bank: { status: "processing" },
  pm_card_visa_chargeDeclined: {
    status: "requires_payment_method",
    error: { code: "card_declined", message: "Your card was declined." },
  },
};

export async function stripeServer(): Promise<StripeServer> {
  const state: Omit<StripeServer, "url"> = { intents: [], refunds: [], calls: [], keys: [] };
  const answered = new Map<string, { status: number; body: object }>();
  const silent = new Set<string>();

  const create = (fields: URLSearchParams): { status: number; body: object } => {
    const name = fields.get("payment_method") ?? "";
    // Charged, but the response is lost.
    const known = methods[name.replace(/^pm_lost_/, "pm_")];
    if (known === undefined)
      return refusal(400, "invalid_request_error", "resource_missing", `No such PaymentMethod: '${name}'`, {
        param: "payment_method",
      });
    if (Number(fields.get("amount")) < 50)
      return refusal(400, "invalid_request_error", "amount_too_small", "Amount must be at least $0.50 usd");
    const intent: Intent = {
      id: `pi_${state.intents.length + 1}`,
      object: "payment_intent",
      amount: Number(fields.get("amount")),
      currency: fields.get("currency") ?? "",
      status: known.status,
      payment_method: name,
      metadata: {
        order_id: fields.get("metadata[order_id]") ?? "",
        payment_key: fields.get("metadata[payment_key]") ?? "",
      },
      last_payment_error: known.error ?? null,
    };
    state.intents.push(intent);
    return known.error === undefined
      ? { status: 200, body: intent }
      : refusal(402, "card_error", known.error.code, known.error.message, { payment_intent: intent });
  };

  const answer = (method: string, url: URL, fields: URLSearchParams): { status: number; body: object } => {
    const [, , noun, id, verb] = url.pathname.split("/");
    if (noun === "refunds") {
      const intent = fields.get("payment_intent") ?? "";
      if (state.refunds.includes(intent))
        return refusal(400, "invalid_request_error", "charge_already_refunded", "Already refunded.");
      state.refunds.push(intent);
      return { status: 200, body: { id: "re_1", object: "refund" } };
    }
    if (method === "POST" && id === undefined) return create(fields);
    if (id === "search") {
      const key = /"([^"]*)"$/.exec(url.searchParams.get("query") ?? "")?.[1];
      const data = state.intents.filter(({ metadata }) => metadata.payment_key === key);
      return { status: 200, body: { object: "search_result", data, has_more: false } };
    }
    const intent = state.intents.find((its) => its.id === id);
    if (intent === undefined) return refusal(404, "invalid_request_error", "resource_missing", "No such intent");
    if (verb === "cancel") {
      if (intent.status !== "requires_action")
        return refusal(400, "invalid_request_error", "payment_intent_unexpected_state", "Cannot be canceled.");
      intent.status = "canceled";
    }
    return { status: 200, body: intent };
  };

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    let body = "";
    for await (const chunk of request) body += chunk;
    const fields = new URLSearchParams(body);
    const key = request.headers["idempotency-key"] as string | undefined;
    state.calls.push(`${request.method} ${url.pathname}`);
    if (key !== undefined) state.keys.push(key);
    if (fields.get("payment_method") === "pm_down") return response.destroy();
    const known = key === undefined ? undefined : answered.get(key);
    const result = known ?? answer(request.method ?? "GET", url, fields);
    if (key !== undefined) answered.set(key, result);
    if (fields.get("payment_method")?.startsWith("pm_lost_") && !silent.has(key ?? "")) {
      // Both tries of the Stripe package time out; later queries get a response.
      if (known !== undefined) silent.add(key ?? "");
      return;
    }
    response.writeHead(result.status, { "content-type": "application/json", "request-id": "req_1" });
    response.end(JSON.stringify(result.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), ...state };
}

const refusal = (status: number, type: string, code: string, message: string, more: object = {}) => ({
  status,
  body: { error: { type, code, message, ...more } },
});
