import type { RawBuilder } from "kysely";

/** The rules for events that the program supplies to this package. */
export interface EventRules {
  /** Every type of event, in the order for lists. */
  types: readonly string[];
  /** The User-Agent of deliveries. */
  userAgent: string;
  /** The source of ids and secrets. */
  randomBytes(count: number): Buffer;
  /** The body of a stored payload for an endpoint of this version. */
  bodyOf(payload: string, version: string): string;
  /** The unsigned headers of a delivery to an endpoint of this version. */
  headersOf(version: string): Record<string, string>;
  /**
   * An SQL condition on an owner's id and an event's type: whether the owner receives the event in addition to its
   * audience. Does not apply to an event with an empty audience.
   */
  alsoReceives(ownerId: RawBuilder<unknown>, type: RawBuilder<unknown>): RawBuilder<unknown>;
}
