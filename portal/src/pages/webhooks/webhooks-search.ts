import { notFound } from "@tanstack/react-router";
import { eventTypeNames } from "../../api/event-types.ts";
import type { DeliveriesQuery } from "../../api/webhooks.ts";

// The search parameters of the webhook pages. Part of the first load, so this file imports no page.

/** The filters and the page of the list of deliveries. */
export type DeliveriesSearch = Omit<DeliveriesQuery, "limit">;

const states: readonly string[] = ["pending", "sending", "succeeded", "failed", "skipped"];
const types: readonly string[] = eventTypeNames;

/** Reads the search parameters and drops invalid ones. */
export function deliveriesSearch(search: Record<string, unknown>): DeliveriesSearch {
  const texts = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  );
  return Object.fromEntries(
    texts.filter(
      ([name, value]) =>
        (name === "state" && states.includes(value)) ||
        (name === "type" && types.includes(value)) ||
        ["from", "to", "older_than", "newer_than"].includes(name),
    ),
  );
}

/** The endpoint or the inbox receipt that fills the form of the signature doctor. */
export const doctorSearch = (search: Record<string, unknown>): { endpoint?: number; receipt?: number } => ({
  ...(Number.isInteger(search.endpoint) && { endpoint: Number(search.endpoint) }),
  ...(Number.isInteger(search.receipt) && { receipt: Number(search.receipt) }),
});

/** Reads an id of the path. Throws `notFound` for anything else. */
export function readId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}
