import type { Transport } from "./transport.ts";

/** A transport over `fetch`, which every runtime has. */
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
    const { status, headers: its } = response;
    return { status, header: (name) => its.get(name), headers: () => its, text: await response.text() };
  };
