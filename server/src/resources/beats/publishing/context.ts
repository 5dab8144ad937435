import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Queryable } from "../../../database/connect.ts";
import type { LicenseBounds } from "../licensing/limits.ts";

/** The dependencies of publishing. */
export interface PublishingContext {
  /** The primary database. */
  db: Queryable;
  clock: Clock;
  /** Origin of the addresses in events. */
  publicUrl: string;
  /** Whether accounts may publish recordings that another account has published. */
  allowsDuplicates: boolean;
}

/** The dependencies of making and changing beats. */
export interface EditContext extends PublishingContext {
  /** The ranges in which producers may change limits; null where the terms have no limits. */
  licenseBounds: LicenseBounds | null;
}

/** An account's request to change its beats. */
export interface OwnRequest {
  userId: number;
  /** Null for an operator's command. */
  requestId: string | null;
}
