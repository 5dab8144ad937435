import type { Transport } from "./transport.ts";

/** A transport over `fetch`, which every runtime has. */
export const fetchTransport =
  (send: typeof fetch): Transport =>
  async ({ method, url, headers, body, signal, receive }) => {
    const response = await send(url, {
      method,
      headers,
      redirect: "manual",
      signal,
      ...(body !== undefined && { body }),
    });
    const { status, headers: its } = response;
    const head = { status, header: (name: string) => its.get(name) };
    const write = receive?.(head);
    if (write !== undefined) await response.body?.pipeTo(new WritableStream({ write }));
    return { ...head, headers: () => its, text: write === undefined ? await response.text() : "" };
  };
