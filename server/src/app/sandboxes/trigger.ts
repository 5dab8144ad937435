import type { TriggerEvent } from "../../resources/sandboxes/control.ts";
import type { EventType } from "../../resources/webhooks/event-types.ts";
import { accountChains } from "./triggers/accounts.ts";
import { beatChains } from "./triggers/beats.ts";
import { orderChains } from "./triggers/orders.ts";
import type { Chain, TriggerParts } from "./triggers/parts.ts";
import { uploadChains } from "./triggers/uploads.ts";

/**
 * The chain of actions that causes an event of each type. A new type needs a chain, so that every event can be tried.
 */
const chains: Readonly<Record<EventType, Chain>> = {
  ...orderChains,
  ...beatChains,
  ...uploadChains,
  ...accountChains,
};

/** Causes an event of a type by its chain, for an account of test mode. */
export const eventTrigger =
  (parts: TriggerParts): TriggerEvent =>
  (call, type) =>
    chains[type](parts, call);
