/** One HTTP request. */
export interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
  signal: AbortSignal;
  /** Called with the head of the response. Returns what takes its body, chunk by chunk; undefined for the text. */
  receive?: ((head: WireHead) => ((chunk: Uint8Array) => Promise<void>) | undefined) | undefined;
}

export interface WireHead {
  status: number;
  /** The value of a header; the name is in lower case. */
  header(name: string): string | null;
}

export interface WireResponse extends WireHead {
  /** All headers. Built on demand, because few callers need them. */
  headers(): Headers;
  /** Empty if `receive` took the body. */
  text: string;
}

/** Sends a request and reads the whole response. Does not follow redirects. Rejects if there is no response. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;
