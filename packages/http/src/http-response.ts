import type { Readable } from "node:stream";
import type { Representation } from "./negotiation/representation.ts";

/** A finished response. */
export interface HttpResponse {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** A stream is sent in chunks unless `headers` has a Content-Length. */
  body?: string | Buffer | Readable;
  /** Whether the body is produced while it is sent, with pauses. The minimum rate of reading then does not apply. */
  isLive?: boolean;
}

/** The result of a route: a finished response, or a representation whose encoding and ETag are negotiated. */
export type Content = HttpResponse | Representation;

/** 200 with a JSON text. */
export const jsonResponse = (body: string | Buffer, status = 200): HttpResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body,
});
