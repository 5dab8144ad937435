import { components } from "../../../contract/openapi.json" with { type: "json" };
import type { EventType } from "./webhooks.ts";

/** Every event type with one sentence about it, from the descriptions of webhooks in contract/openapi.json. */
export const eventTypes: readonly { type: EventType; summary: string }[] = Object.entries(
  components.pathItems satisfies Record<EventType, unknown>,
).map(([type, { post }]) => ({ type: type as EventType, summary: post.summary }));

export const eventTypeNames: readonly EventType[] = eventTypes.map(({ type }) => type);
