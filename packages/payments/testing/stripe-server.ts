import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { StripeAccount } from "./stripe/account.ts";
import { answer, type StripeCall } from "./stripe/calls.ts";
import { StripeFault } from "./stripe/errors.ts";

/**
 * The fault of a call. `unreachable`: the request is lost. `response-lost`: the call takes effect, and its response is
 * lost. `fails`: 500, and the call has no effect. `fails-after`: 500, and the call takes effect. Both 500s are stored
 * under the idempotency key.
 */
export type StripeTrouble = "unreachable" | "response-lost" | "fails" | "fails-after";

/** A server that speaks Stripe's API as documented (docs/decisions/orders-and-payments.md says why not stripe-mock). */
export interface StripeServer {
  url: URL;
  account: StripeAccount;
  /** All calls, in order, including failed ones. */
  calls: StripeCall[];
  /** The fault of a call; null for a call that succeeds. */
  trouble: (call: StripeCall) => StripeTrouble | null;
  /** An event as Stripe's webhook sends it: its body, and the Stripe-Signature header. */
  signed(event: object, options: { secret: string; atMs: number }): { payload: string; signature: string };
  /** Replaces the account with a new one, and ends all faults. */
  reset(): void;
  close(): Promise<void>;
}

const keyLifetimeMs = 86_400_000;

interface Answer {
  status: number;
  body: object;
}

/** Listens on a free port of 127.0.0.1. `nowMs` is the time of new objects and of the expiry of idempotency keys. */
export async function startStripeServer({ nowMs = Date.now } = {}): Promise<StripeServer> {
  const stored = new Map<string, Answer & { fingerprint: string; atMs: number }>();
  let requests = 0;

  function carryOut(call: StripeCall, trouble: StripeTrouble | null): Answer & { isStored: boolean } {
    const failure = {
      status: 500,
      body: { error: { type: "api_error", message: "Something went wrong on our end." } },
    };
    if (trouble === "fails") return { ...failure, isStored: true };
    try {
      // A copy, since the object may change before the response is replayed.
      const body = structuredClone(answer(stripe.account, call));
      return { ...(trouble === "fails-after" ? failure : { status: 200, body }), isStored: true };
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error;
      return { status: error.status, body: structuredClone(error.body), isStored: error.isStored };
    }
  }

  /** Replays the response or error stored under the idempotency key. Answers 400 if the parameters differ. */
  function carryOutOnce(call: StripeCall, trouble: StripeTrouble | null): Answer & { isReplayed: boolean } {
    const { key, method, path, fields } = call;
    if (key === undefined || method !== "POST") return { ...carryOut(call, trouble), isReplayed: false };
    const fingerprint = `${path} ${fields}`;
    const earlier = stored.get(key);
    if (earlier !== undefined && earlier.atMs + keyLifetimeMs > nowMs()) {
      if (earlier.fingerprint === fingerprint) return { ...earlier, isReplayed: true };
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
      return { status: 400, body: { error: { type: "idempotency_error", message } }, isReplayed: false };
    }
    const { isStored, ...response } = carryOut(call, trouble);
    if (isStored) stored.set(key, { ...response, fingerprint, atMs: nowMs() });
    return { ...response, isReplayed: false };
  }

  /** The bank's page, which redirects the buyer to the shop. */
  function authenticate(id: string, outcome: string | null, response: ServerResponse): void {
    const returnUrl = stripe.account.intent(id).next_action?.redirect_to_url?.return_url ?? "";
    stripe.account.authenticate(id, outcome === "fails" ? "fails" : "succeeds");
    response.writeHead(302, { location: `${returnUrl}?payment_intent=${id}` }).end();
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    let text = "";
    for await (const chunk of request) text += chunk;
    const secure = /^\/3d_secure\/(\w+)$/.exec(url.pathname)?.[1];
    if (secure !== undefined) return authenticate(secure, url.searchParams.get("outcome"), response);
    const call: StripeCall = {
      method: request.method ?? "",
      path: url.pathname,
      fields: request.method === "POST" ? new URLSearchParams(text) : url.searchParams,
      key: request.headers["idempotency-key"] as string | undefined,
    };
    stripe.calls.push(call);
    const trouble = stripe.trouble(call);
    if (trouble === "unreachable") return void response.destroy();
    const id = `req_${++requests}`;
    const { status, body, isReplayed } = request.headers.authorization?.startsWith("Bearer sk_")
      ? carryOutOnce(call, trouble)
      : {
          status: 401,
          body: { error: { type: "invalid_request_error", message: "You did not provide an API key." } },
          isReplayed: false,
        };
    if (trouble === "response-lost") return void response.destroy();
    response.writeHead(status, {
      "content-type": "application/json",
      "request-id": id,
      ...(call.key !== undefined && { "idempotency-key": call.key }),
      ...(isReplayed && { "idempotent-replayed": "true" }),
    });
    response.end(JSON.stringify(body));
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const newAccount = () => new StripeAccount({ nowMs, origin: url.origin });
  const stripe: StripeServer = {
    url,
    account: newAccount(),
    calls: [],
    trouble: () => null,
    signed(event, { secret, atMs }) {
      const payload = JSON.stringify(event);
      const timestamp = Math.floor(atMs / 1000);
      return { payload, signature: Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }) };
    },
    reset() {
      stored.clear();
      stripe.account = newAccount();
      stripe.calls = [];
      stripe.trouble = () => null;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return stripe;
}
