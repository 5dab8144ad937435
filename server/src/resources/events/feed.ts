import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import { nearestName } from "@beatmarket/http/input/names.ts";
import { LongPolls, type Watch } from "@beatmarket/http/long-polls.ts";
import type { KeyCall } from "@beatmarket/http/pipeline/route.ts";
import type { Listener } from "@beatmarket/postgres/connection/listener.ts";
import type { Queryable } from "../../database/connect.ts";
import { eventTypes, isEventType } from "../webhooks/event-types.ts";
import type { EventPage } from "./queries.ts";
import { feedsOf, readEvents } from "./queries.ts";

/** The parameters of a request for events. */
export interface EventsRequest {
  /** Absent: from the oldest stored event. */
  after?: number | undefined;
  /** Event types, separated by commas. Absent: all. */
  type?: string | undefined;
  limit: number;
  /** Seconds to wait for a first event. */
  wait: number;
}

/** The parts of a call that a reader of events needs. */
export type EventsCall = Pick<
  KeyCall<object, EventsRequest, object>,
  "caller" | "query" | "closed" | "context" | "underPermit" | "readmit"
>;

/** The channel that the feeds' trigger notifies at commit, with a feed and a type (migration 0025). */
const channel = "events";

/** A feed and a type with a new event. Null: the connection may have missed notifications. */
type Notice = { feed: number; type: string } | null;

/** Reads the events of accounts, and lets requests wait for new events. */
export class EventFeed {
  readonly #db: Queryable;
  readonly #polls = new LongPolls<Notice>();
  #unfollow = () => {};

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Subscribes to the database's notifications until `stop`. */
  async follow(listener: Listener): Promise<void> {
    this.#unfollow = await listener.subscribe(channel, {
      onNotification: (payload) => {
        const [feed, type = ""] = payload.split(" ");
        this.#polls.notify({ feed: Number(feed), type });
      },
      onListening: () => this.#polls.notify(null),
    });
  }

  /** A page of the caller's events. Waits for a first event as long as the caller allows (docs/api/events.md). */
  async page(call: EventsCall): Promise<EventPage> {
    const { after, limit, wait } = call.query;
    const reader = this.reader(call);
    if (wait === 0) return reader.read(after, limit);
    const endMs = performance.now() + wait * 1_000;
    using watch = reader.watch();
    for (let position = after; ; ) {
      const page = await reader.read(position, limit);
      if (page.events.length > 0 || !(await watch.next(endMs - performance.now()))) return page;
      position = page.next;
    }
  }

  /** Creates a reader for the caller's events of the requested types. Throws 400 for an unknown type. */
  reader(call: EventsCall): EventReader {
    return new EventReader(this.#db, this.#polls, call);
  }

  /** Ends all waits, so that the server can stop. */
  stop(): void {
    this.#unfollow();
    this.#polls.stop();
  }
}

/** Reads the events of one account for one request. */
export class EventReader {
  readonly #db: Queryable;
  readonly #polls: LongPolls<Notice>;
  readonly #call: EventsCall;
  readonly #types: readonly string[] | null;
  /**
   * The feeds with events for the account. Includes the marketplace feed until the first read finds out whether the
   * account reads that feed.
   */
  #feeds: readonly number[];

  constructor(db: Queryable, polls: LongPolls<Notice>, call: EventsCall) {
    this.#db = db;
    this.#polls = polls;
    this.#call = call;
    this.#types = call.query.type === undefined ? null : readTypes(call.query.type);
    const { userId } = call.caller;
    this.#feeds = feedsOf(userId, { isMarketplace: true });
  }

  /** Watches for new events. Must be called before a read, so that no event in between is missed. */
  watch(): Watch<Notice> {
    return this.#polls.watch(
      (notice) =>
        notice === null ||
        (this.#feeds.includes(notice.feed) && (this.#types === null || this.#types.includes(notice.type))),
      this.#call,
    );
  }

  /**
   * Reads the events after a position, under a permit. Throws 410 if some of them were deleted, or if the position is
   * after the newest event.
   */
  async read(after: number | undefined, limit: number): Promise<EventPage> {
    const { userId } = this.#call.caller;
    const query = { userId, types: this.#types, after: after ?? null, limit };
    const { page, extent } = await this.#call.underPermit(() => readEvents(this.#db, query));
    this.#feeds = feedsOf(userId, extent);
    if (after !== undefined && after < extent.horizon) throw deletedEvents(after);
    if (after !== undefined && after > extent.highest) throw positionAhead(after, extent.highest);
    return page;
  }
}

function readTypes(text: string): string[] {
  const types = text.split(",").map((type) => type.trim());
  for (const [index, type] of types.entries()) {
    if (types.indexOf(type) !== index)
      throw invalidRequest(`The type parameter names ${JSON.stringify(quoted(type))} more than once.`, "type");
    if (isEventType(type)) continue;
    const suggestion = nearestName(type, eventTypes);
    const hint = suggestion === undefined ? `The types are ${eventTypes.join(", ")}.` : `Did you mean ${suggestion}?`;
    throw invalidRequest(
      `The type parameter names ${JSON.stringify(quoted(type))}, which is not an event type. ${hint}`,
      "type",
    );
  }
  return types;
}

const deletedEvents = (after: number): ApiError =>
  positionGone(`Events after position ${after} are older than 30 days and no longer kept.`);

/** 410 as for deleted events, since the remedy is the same. */
const positionAhead = (after: number, highest: number): ApiError =>
  positionGone(
    `Position ${after} is ahead of the newest event, ${highest}. If it was the "next" of an earlier response, the service was restored to an earlier time.`,
  );

const positionGone = (reason: string): ApiError =>
  new ApiError(410, "not_found", "Gone", `${reason} Begin without after, at the oldest event that is kept.`, {
    refusedBy: "parameter:after",
  });
