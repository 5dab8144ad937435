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
  /** The value of a header, by its name in lower case. */
  header(name: string): string | null;
  /** All of them; made when asked for, because few ask. */
  headers(): Headers;
  text: string;
}

/** Sends a request and reads the whole answer. Follows no redirect; rejects when there is no answer. */
export type Transport = (request: WireRequest) => Promise<WireResponse>;
