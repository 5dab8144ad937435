import type { Sender } from "./sender.ts";

/** A part of the client. */
export class Resource {
  protected readonly sender: Sender;

  /** @internal */
  constructor(sender: Sender) {
    this.sender = sender;
  }
}
