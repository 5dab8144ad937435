import { notFound } from "@tanstack/react-router";
import { eventTypeNames } from "../../api/event-types.ts";
import { id, moment, oneOf, searchParams, text } from "../../api/search-params.ts";
import type { DeliveriesQuery } from "../../api/webhooks.ts";

// The search parameters of the webhook pages. The first load includes this file, so it imports no page.

/** The filters and the page of the list of deliveries. */
export type DeliveriesSearch = Omit<DeliveriesQuery, "limit">;

/** Reads the search parameters of an endpoint's page. */
export const deliveriesSearch = searchParams<DeliveriesSearch>({
  state: oneOf(["pending", "sending", "succeeded", "failed", "skipped"]),
  type: oneOf(eventTypeNames),
  from: moment,
  to: moment,
  older_than: text(200),
  newer_than: text(200),
});

/** The endpoint or the inbox receipt that fills the form of the signature doctor. */
export const doctorSearch = searchParams<{ endpoint?: number; receipt?: number }>({ endpoint: id, receipt: id });

/** Reads an id of the path. Throws `notFound` for anything else. */
export function readId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}
