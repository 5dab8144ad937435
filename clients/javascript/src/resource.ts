import type { CallOptions, Sender } from "./sender.ts";

/** Options of a call that creates something. */
export interface CreateOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters. Store one of your own to repeat a call safely across restarts. Default: random. */
  idempotencyKey?: string | undefined;
}

/** Options of a call that changes something. */
export interface EditOptions extends CallOptions {
  /** The `etag` of a response with the beat: only if it has not changed since. Null for whatever it is. */
  ifMatch?: string | null | undefined;
}

/** A part of the client. */
export class Resource {
  protected readonly sender: Sender;

  /** @internal */
  constructor(sender: Sender) {
    this.sender = sender;
  }
}
