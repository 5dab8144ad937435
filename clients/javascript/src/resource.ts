import type { Sender } from "./sender.ts";

/** The base class of the client's resources, such as `client.beats`. */
export class Resource {
  protected readonly sender: Sender;

  /** @internal */
  constructor(sender: Sender) {
    this.sender = sender;
  }
}
