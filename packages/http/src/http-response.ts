import type { Readable } from "node:stream";
import type { Representation } from "./negotiation/representation.ts";

/** A finished response. */
export interface HttpResponse {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** Of a stream, `headers` have the Content-Length, or it is sent in chunks. */
  body?: string | Buffer | Readable;
  /** The body is written as it comes about, with pauses of its own: its reader has no least rate. */
  isLive?: boolean;
}

/** What a route responds with: a finished response, or a representation whose encoding and ETag are negotiated. */
export type Content = HttpResponse | Representation;

/** 200 with a JSON text. */
export const jsonResponse = (body: string | Buffer, status = 200): HttpResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body,
});
