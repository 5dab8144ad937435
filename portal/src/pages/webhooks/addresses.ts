import { notFound } from "@tanstack/react-router";
import type { DeliveriesQuery } from "./queries.ts";

// What stands in the addresses of this area's pages. It is part of the first load, so it imports no page.

/** What of the deliveries is shown. */
export type DeliveriesSearch = Omit<DeliveriesQuery, "limit">;

const states: readonly string[] = ["pending", "sending", "succeeded", "failed", "skipped"];
const types: readonly string[] = ["beat.purchased", "beat.created", "beat.updated", "user.registered", "user.updated"];

/** What is none of ours is left out. */
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

/** What the doctor begins with: an endpoint, or what an inbox received. */
export const doctorSearch = (search: Record<string, unknown>): { endpoint?: number; receipt?: number } => ({
  ...(Number.isInteger(search.endpoint) && { endpoint: Number(search.endpoint) }),
  ...(Number.isInteger(search.receipt) && { receipt: Number(search.receipt) }),
});

/** An id of the address; what is none leads to no page. */
export function readId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}
