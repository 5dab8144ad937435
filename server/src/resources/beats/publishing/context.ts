import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Queryable } from "../../../database/connect.ts";
import type { LicenseBounds } from "../licensing/limits.ts";

/** What publishing works with. */
export interface PublishingContext {
  /** The primary. */
  db: Queryable;
  clock: Clock;
  /** Origin of the addresses in events. */
  publicUrl: string;
  /** Whether accounts may publish recordings that another account has published. */
  allowsDuplicates: boolean;
}

/** What beats are made and changed with. */
export interface EditContext extends PublishingContext {
  /** Between which numbers producers may change limits; null where the terms name none. */
  licenseBounds: LicenseBounds | null;
}

/** An account's request to change its beats. */
export interface OwnRequest {
  userId: number;
  /** Null for an operator's command. */
  requestId: string | null;
}
