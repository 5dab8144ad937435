import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../application.ts";
import type { Form } from "../negotiation/forms.ts";

/** Rewrites the body of a response from the newest shape. Pure. */
export type Reshape = (body: object, form: Form) => object;

/** A dated version of an API: the shape of the response bodies. */
export interface WireVersion {
  /** `2026-11-20`. */
  readonly date: string;
  /** Undefined if the operation's responses have the newest shape. */
  reshapeOf(operationId: string): Reshape | undefined;
}

/** The parts of a request that decide its version. */
export interface VersionedCall {
  readonly requestHeaders: IncomingHttpHeaders;
  readonly caller: Caller | null;
}

/** The versions among which the pipeline chooses. */
export interface WireVersions {
  /** The version of the response to a call with an API key. Throws 400 if the request names an unknown version. */
  choose(call: VersionedCall): WireVersion;
  /** The version of the requests that a handler sends to its own server, and of replays without a version. */
  readonly first: WireVersion;
}

/** The request header that chooses a version, and the response header that reports it. */
export const versionHeader = "beat-version";
