import type { Deadline } from "./deadline.ts";

/** One HTTP request. */
export interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** Ends the request and the reading of its response. */
  deadline: Deadline;
}

/** A response whose head has arrived. Its body can be read once, as text or as bytes. */
export interface WireResponse {
  status: number;
  /** The value of a header; the name is in lower case. */
  header(name: string): string | null;
  /** All headers. Built on demand, because few callers need them. */
  headers(): Headers;
  text(): Promise<string>;
  bytes(): AsyncIterable<Uint8Array>;
}

/** Sends a request. Does not follow redirects. Rejects if there is no response. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;

/** The certificate authorities to trust instead of the system's. At most one of the two is set. */
export interface Authorities {
  ca?: string | undefined;
  caFile?: string | undefined;
}

export const isPem = (text: unknown): text is string =>
  typeof text === "string" && text.includes("-----BEGIN CERTIFICATE-----");

/**
 * A transport over `fetch`, which every runtime has. `ca` is passed as `tls.ca`: Bun's `fetch` reads it, most others
 * ignore it.
 */
export const fetchTransport =
  (send: typeof fetch, ca?: string): Transport =>
  async ({ method, url, headers, body, deadline }) => {
    const signal = deadline.toSignal();
    const more = {
      ...(body !== undefined && { body: body as string | Uint8Array<ArrayBuffer> }),
      ...(ca !== undefined && { tls: { ca } }),
    };
    const response = await send(url, { method, headers, redirect: "manual", signal, ...more });
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      headers: () => response.headers,
      text: () => response.text(),
      bytes: () => chunksOf(response.body),
    };
  };

/** Iterates over a stream, since not every runtime's streams are iterable. */
export async function* chunksOf<T>(stream: ReadableStream<T> | null): AsyncGenerator<T, void, undefined> {
  const reader = stream?.getReader();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return;
      yield chunk.value;
    }
  } finally {
    await reader?.cancel().catch(() => {}); // The stream may have failed; the loop above throws that error.
  }
}
