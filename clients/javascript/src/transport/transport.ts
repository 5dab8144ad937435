/** One HTTP request. */
export interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
}

export interface WireResponse {
  status: number;
  /** The value of a header; the name is in lower case. */
  header(name: string): string | null;
  /** All headers. Built on demand, because few callers need them. */
  headers(): Headers;
  text: string;
}

/** Sends a request and reads the whole response. Does not follow redirects. Rejects if there is no response. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;
