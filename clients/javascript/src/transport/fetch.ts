import type { Transport } from "./transport.ts";

/** Through `fetch`, which every runtime has. */
export const fetchTransport =
  (send: typeof fetch): Transport =>
  async ({ method, url, headers, body, signal }) => {
    const response = await send(url, {
      method,
      headers,
      redirect: "manual",
      signal,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
