import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../application.ts";
import type { Form } from "../negotiation/forms.ts";

/** Rewrites the body of a response from the newest shape. Pure. */
export type Reshape = (body: object, form: Form) => object;

/** A dated version of an API, for the bodies that it answers with. */
export interface WireVersion {
  /** `2026-11-20`. */
  readonly date: string;
  /** Undefined where the operation's responses have the newest shape, so that they cost nothing more. */
  reshapeOf(operationId: string): Reshape | undefined;
}

/** The parts of a request that decide its version. */
export interface VersionedCall {
  readonly requestHeaders: IncomingHttpHeaders;
  readonly caller: Caller | null;
}

/** The versions among which the pipeline chooses. */
export interface WireVersions {
  /** The version that answers a call with an API key. Throws 400 if the request names one that does not exist. */
  choose(call: VersionedCall): WireVersion;
  /** The version of the requests that a handler sends to its own server, and of replays without a version. */
  readonly first: WireVersion;
}

/** The request's header that names a version, and the response's header with the version that answered. */
export const versionHeader = "beat-version";
