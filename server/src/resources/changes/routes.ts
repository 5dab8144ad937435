import { ApiError } from "@beatmarket/foundation/errors.ts";
import { LongPolls, maxWaitSeconds } from "@beatmarket/http/long-polls.ts";
import { type PresenterContext, type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import type { KeyCall } from "@beatmarket/http/pipeline/route.ts";
import Type from "typebox";
import type { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import type { Queryable } from "../../database/connect.ts";
import { beatDetailConsole, beatDetailReference } from "../beats/present.ts";
import { ConsoleBeatDetail, ReferenceBeatDetail } from "../beats/schema.ts";
import { type Changes, changeTypes, newestPosition, readChanges, retentionDays } from "./queries.ts";

const ChangesQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "Only changes after this position: the `next` of the previous response, or the `X-Change-Position` of an export. Default: from the oldest stored change.",
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 100,
    description: "The maximum number of changes in a response.",
  }),
  wait: Type.Integer({
    minimum: 0,
    maximum: maxWaitSeconds,
    default: 0,
    description:
      "The number of seconds to wait for a change if there is none yet. The response is sent as soon as there is one.",
  }),
});

const changesOf = (beat: typeof ReferenceBeatDetail | typeof ConsoleBeatDetail, id: string) =>
  Type.Object({
    changes: Type.Array(
      Type.Object(
        {
          position: Type.Integer({ description: "The position of the change. Positions increase and can have gaps." }),
          type: Type.Enum([...changeTypes]),
          beat_id: Type.Integer(),
          beat: Type.Union([beat, Type.Null()], {
            description:
              "The present state of the beat, in the form of `GET /beats/{beat_id}`. Null if it is withdrawn now, and in every change of type `withdrawn`.",
          }),
        },
        { $id: id, description: "A change of the catalogue: a beat was published, updated, sold or withdrawn." },
      ),
    ),
    next: Type.Integer({ description: "The position to continue from: the `after` of the next request." }),
  });

const ChangesResponse: ResponseSchemas = {
  status: 200,
  reference: changesOf(ReferenceBeatDetail, "Change"),
  console: changesOf(ConsoleBeatDetail, "ConsoleChange"),
};

/** Changes in the reference form (docs/api/changes.md). */
const changesReference = ({ changes, next }: Changes, context: PresenterContext) => ({
  changes: changes.map(({ position, type, beatId, beat }) => ({
    position,
    type,
    beat_id: beatId,
    beat: beat && beatDetailReference(beat, context).beat,
  })),
  next,
});

/** Changes in the console form: as in the reference form, but with beats in the console form. */
const changesConsole = ({ changes, next }: Changes, context: PresenterContext) => ({
  data: {
    changes: changes.map(({ position, type, beatId, beat }) => ({
      position,
      type,
      beat_id: beatId,
      beat: beat && beatDetailConsole(beat, context).data,
    })),
    next,
  },
});

export const changeRoutes = (feed: ChangeFeed) => [
  route({
    operationId: "listChanges",
    client: "changes.list",
    method: "GET",
    path: "/changes",
    tag: "Changes",
    summary: "List changes of the catalogue",
    description:
      "Returns every change of a listed beat, in the order of commits, without gaps and repetitions. With it a program keeps a copy of the catalogue up to date. Begin with an export, then pass `next` as `after`; with `wait`, the response is sent as soon as something changes. Changes are stored for 30 days.",
    permission: "beats:read",
    query: ChangesQuery,
    response: ChangesResponse,
    present: { reference: changesReference, console: changesConsole },
    waits: true,
    gone: "Changes after `after` are no longer stored. Download an export, and continue from its position.",
    examples: {
      success: { parameters: { limit: 2 } },
      invalid: { parameters: { after: "yesterday" } },
    },
    handle: (call) => feed.page(call),
  }),
];

/** A request for a page of the stream. */
export interface ChangesRequest {
  /** Absent: from the oldest stored change. */
  after?: number | undefined;
  limit: number;
  /** Seconds to wait for a first change. */
  wait: number;
}

type Call = Pick<KeyCall<object, ChangesRequest, object>, "query" | "closed" | "context" | "underPermit">;

/**
 * Serves the change stream, also to requests that wait. Follows the newest position by the database's notifications.
 */
export class ChangeFeed {
  readonly #db: Queryable;
  readonly #polls = new LongPolls<number>();
  readonly #reading = new Map<string, Promise<Changes>>();
  #newest = 0;

  private constructor(db: Queryable) {
    this.#db = db;
  }

  /**
   * `onError` is called if the newest position cannot be read. The next notification, or the end of a wait, reads
   * again.
   */
  static async follow(db: Queryable, catalogue: CatalogueVersion, onError: (error: unknown) => void) {
    const feed = new ChangeFeed(db);
    catalogue.observePositions((position) => {
      if (position !== null) feed.#advance(position);
      else feed.#catchUp().catch(onError);
    });
    await feed.#catchUp();
    return feed;
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#polls.size;
  }

  /** Returns a page of changes. Waits for a first change as long as the call's `wait` says (docs/api/changes.md). */
  async page(call: Call): Promise<Changes> {
    const { after, limit, wait } = call.query;
    const endMs = performance.now() + wait * 1_000;
    for (let position = after; ; ) {
      const isAtEnd = position !== undefined && position >= this.#newest;
      const hasNewChange = isAtEnd && (await this.#waitForChangeAfter(position ?? 0, endMs, call));
      const page = await this.#readPage(position, limit, call.underPermit);
      if (page.changes.length > 0 || (isAtEnd && !hasNewChange)) return page;
      position = page.next;
    }
  }

  /** Ends all waits, so that the server can stop. */
  stop(): void {
    this.#polls.stop();
  }

  #waitForChangeAfter(position: number, endMs: number, call: Call): Promise<boolean> {
    return this.#polls.wait((newest) => newest > position, endMs - performance.now(), call);
  }

  /** Concurrent requests for the same changes share a read and its permit. */
  #readPage(after: number | undefined, limit: number, underPermit: Call["underPermit"]): Promise<Changes> {
    const key = `${after} ${limit}`;
    const shared = this.#reading.get(key);
    if (shared !== undefined) return shared;
    const reading = underPermit(() => this.#readNow(after, limit)).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #readNow(after: number | undefined, limit: number): Promise<Changes> {
    const { page, extent } = await readChanges(this.#db, after ?? null, limit);
    if (after === undefined) return page;
    if (after < extent.horizon) throw deletedChanges(after);
    if (after > extent.newest) throw positionAhead(after, extent.newest);
    return page;
  }

  async #catchUp(): Promise<void> {
    this.#advance(await newestPosition(this.#db));
  }

  #advance(position: number): void {
    if (position > this.#newest) this.#newest = position;
    this.#polls.notify(this.#newest);
  }
}

const deletedChanges = (after: number): ApiError =>
  positionGone(`The changes after position ${after} are older than ${retentionDays} days and no longer kept.`);

/** 410 as for deleted changes, since the remedy of a mirror is the same. */
const positionAhead = (after: number, newest: number): ApiError =>
  positionGone(
    `Position ${after} is ahead of the newest change, ${newest}. If it was the "next" of an earlier response, the catalogue was restored to an earlier time.`,
  );

const positionGone = (reason: string): ApiError =>
  new ApiError(
    410,
    "not_found",
    "Gone",
    `${reason} Take an export (GET /exports/beats.ndjson.gz), and continue from its X-Change-Position.`,
    { refusedBy: "parameter:after" },
  );
