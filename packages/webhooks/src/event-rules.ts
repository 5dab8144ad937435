import type { RawBuilder } from "kysely";

/** A program's part in its events, which the engine does not interpret. */
export interface EventRules {
  /** Every type of event, in the order in which they are listed. */
  types: readonly string[];
  /** The User-Agent of deliveries. */
  userAgent: string;
  /** The source of ids and secrets. */
  randomBytes(count: number): Buffer;
  /** The body that an endpoint of this version gets of a stored payload. */
  bodyOf(payload: string, version: string): string;
  /** The unsigned headers of a delivery to an endpoint of this version. */
  headersOf(version: string): Record<string, string>;
  /**
   * Which owners receive an event in addition to its audience, as a condition on an owner's id and a type. Does not
   * apply to an event with an empty audience.
   */
  alsoReceives(ownerId: RawBuilder<unknown>, type: RawBuilder<unknown>): RawBuilder<unknown>;
}
