// Generated from contract/openapi.json, which is too large for a page.
import types from "../../../contract/event-types.json" with { type: "json" };
import type { EventType } from "./webhooks.ts";

/** Every event type with one sentence about it. */
export const eventTypes = types as readonly { type: EventType; summary: string }[];

export const eventTypeNames: readonly EventType[] = eventTypes.map(({ type }) => type);
