/** One request as it goes over the wire. */
export interface WireRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
}

export interface WireResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Sends a request and reads the whole answer. Follows no redirect; rejects when there is no answer. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;
