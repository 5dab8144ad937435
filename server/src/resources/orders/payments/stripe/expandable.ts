/** The id of an object that Stripe sends whole or as its id alone; null without one. */
export const idOf = (expandable: string | { id: string } | null | undefined): string | null =>
  typeof expandable === "object" ? (expandable?.id ?? null) : (expandable ?? null);
