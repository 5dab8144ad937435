import type { EventType } from "../../../api/webhooks.ts";

/** The event types that an endpoint receives; null: all. */
export const subscriptionLabel = (types: readonly EventType[] | null): string =>
  types === null ? "All events" : types.join(", ");
