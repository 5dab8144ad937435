/** An event of an account, at its place in the order of commits. */
export interface FeedEvent {
  position: number;
  type: string;
  /** The body that webhooks carry, as JSON. */
  payload: string;
}

/** A page of an account's events. */
export interface EventPage {
  events: FeedEvent[];
  /** The position to go on from. */
  next: number;
  /** Whether it ends at its limit, so that more may follow at once. */
  isFull: boolean;
}
