import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../errors.ts";
import type { Caller } from "./caller.ts";

/** What is known of one API call while it runs; the request log is written from it. */
export class Exchange {
  readonly requestId: string = randomUUID();
  readonly startedMs: number = performance.now();
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
