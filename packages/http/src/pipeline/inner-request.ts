export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** A request that a handler sends to its own server. */
export interface InnerRequest {
  method: Method;
  /** In origin form, prefix included: `/v1/articles?limit=5`. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: object;
}
