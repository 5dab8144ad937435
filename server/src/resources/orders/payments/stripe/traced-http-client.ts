import { inSpan, traceHeader } from "@beatmarket/foundation/tracing/tracing.ts";
import Stripe from "stripe";

/** Stripe's own HTTP client, with a span for each request, which tells Stripe of the trace. */
export function tracedHttpClient(): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  const send = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, method, headers, ...rest) => {
    const attributes = { "server.address": host, "http.request.method": method };
    return inSpan(`stripe ${method}`, { kind: "client", attributes }, async (span) => {
      const response = await send(host, port, path, method, { ...headers, ...traceHeader() }, ...rest);
      span.set({ "http.response.status_code": response.getStatusCode() });
      return response;
    });
  };
  return client;
}
