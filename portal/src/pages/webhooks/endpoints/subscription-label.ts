import type { EventType } from "../../../api/webhooks.ts";

/** The label of an endpoint's event types. Null means all types. */
export const subscriptionLabel = (types: readonly EventType[] | null): string =>
  types === null ? "All events" : types.join(", ");
