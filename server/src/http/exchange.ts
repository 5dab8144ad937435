import { randomUUIDv7 } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../errors.ts";
import type { Caller } from "./caller.ts";

/** What is known of one API call while it runs; the request log is written from it. */
export class Exchange {
  /** It begins with the time, so the log finds a call by it without an index of its own. */
  readonly requestId: string = randomUUIDv7();
  readonly startedMs: number = performance.now();
  /** Null where the path or the method is none of ours. */
  operation: string | null = null;
  /** Absent until the key was recognised. */
  caller: Caller | null = null;
  /** Set when the call was refused or failed. */
  error: ApiError | null = null;
}

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange;
  }
}

/** Takes a finished call; must neither throw nor wait. */
export type RecordExchange = (request: FastifyRequest, reply: FastifyReply) => void;
