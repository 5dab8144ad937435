interface EventDescription {
  /** The occasion of the event. */
  summary: string;
  /** The receivers of the event. */
  audience: string;
}

/** The events of webhooks, in the order of the list (docs/api/events.md, Event types). */
export const events = {
  "beat.created": { summary: "A new beat was uploaded.", audience: "every subscriber" },
  "beat.updated": { summary: "A beat was updated, or its exclusive license was sold.", audience: "every subscriber" },
  "beat.withdrawn": {
    summary: "A beat is withdrawn: its producer took it off sale, or an operator took it down.",
    audience: "every subscriber",
  },
  "beat.taken_down": { summary: "An operator took a beat down.", audience: "every subscriber" },
  "beat.sold_exclusively": { summary: "The exclusive license of a beat was sold.", audience: "every subscriber" },
  "beat.purchased": {
    summary: "A beat was purchased.",
    audience: "the seller, the purchaser, and accounts that the operator marked marketplace",
  },
  "order.refunded": {
    summary: "Money of an order was paid back, or a refund was returned.",
    audience: "the purchaser, and the seller of a completed order",
  },
  "order.failed": {
    summary: "The payment of a pending order failed after the order was placed.",
    audience: "the purchaser",
  },
  "license.upgraded": {
    summary: "A license was upgraded or renewed.",
    audience: "the seller and the purchaser",
  },
  "license.usage": {
    summary: "The reported usage of a license reached 80 or 100 percent of a limit.",
    audience: "the holder of the license",
  },
  "upload.ready": { summary: "An upload was analysed and can be used.", audience: "the account that uploaded it" },
  "upload.rejected": { summary: "An upload cannot be used.", audience: "the account that uploaded it" },
  "beat.publishing_failed": {
    summary: "A beat could not be published, or not with its new files.",
    audience: "the beat's producer",
  },
  "payout.sent": { summary: "A payout is on its way to a bank account.", audience: "the producer" },
  "payout.paid": { summary: "A payout arrived.", audience: "the producer" },
  "payout.failed": {
    summary: "A payout failed or came back; its money is in the balance again.",
    audience: "the producer",
  },
  "user.registered": { summary: "A new user registered.", audience: "every subscriber" },
  "user.updated": { summary: "A user's profile was updated.", audience: "every subscriber" },
} as const satisfies Record<string, EventDescription>;

export type EventType = keyof typeof events;
export const eventTypes = Object.keys(events) as EventType[];

/** The types whose events of all accounts are also sent to accounts with the flag `marketplace`. */
export const marketplaceTypes: readonly EventType[] = ["beat.purchased"];

export const isEventType = (text: string): text is EventType => Object.hasOwn(events, text);
