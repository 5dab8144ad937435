import { randomUUIDv7 } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type {} from "fastify";
import type { ApiError } from "../../errors.ts";
import type { Caller, LapsedKey } from "../admission/caller.ts";

/** What is known of one API call while it runs; the request log is written from it. */
export class Exchange {
  /** It begins with the time, so the log finds a call by it without an index of its own. */
  readonly requestId: string = randomUUIDv7();
  readonly startedMs: number = performance.now();
  /** As it was sent, before the router's rewriting. */
  readonly url: string;
  /** Null where the path or the method is none of ours. */
  operation: string | null = null;
  /** What the gate said; null before it was asked. */
  admission: "admitted" | { refusal: unknown } | null = null;
  /** Absent until the key was recognised. */
  caller: Caller | null = null;
  /** Set instead when the key was revoked or has expired. */
  lapsedKey: LapsedKey | null = null;
  /** Set when the call was refused or failed. */
  error: ApiError | null = null;
  /** What the answer's headers are, whatever it is going to be. */
  readonly headers: Record<string, string>;

  constructor(url: string, fixedHeaders: Readonly<Record<string, string>>) {
    this.url = url;
    this.headers = { ...fixedHeaders, "x-request-id": this.requestId };
  }
}

declare module "node:http" {
  interface IncomingMessage {
    /** Set by the server before anything else. */
    exchange: Exchange;
  }
}

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange;
  }
}

/** A call as the log and the metrics see it. */
export interface RecordedCall {
  exchange: Exchange;
  method: string;
  headers: IncomingHttpHeaders;
  socket: Pick<Socket, "remoteAddress">;
  /** The bytes that were sent, if any were. */
  body?: unknown;
}

/** Takes a finished call and its status; must neither throw nor wait. */
export type RecordCall = (call: RecordedCall, status: number) => void;
