import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "../../database/connect.ts";
import type { Endpoint } from "../../resources/webhooks/endpoint.ts";
import { countReplayable, reserveReplay, type Selection } from "../../resources/webhooks/replay.ts";
import { maxReplay } from "./schema.ts";

/** 400 for a replay of more than `maxReplay` deliveries, 429 for too many of them in an hour. */
export async function limitReplay(db: Queryable, endpoint: Endpoint, selection: Selection, now: Date): Promise<void> {
  const count = await countReplayable(db, endpoint.id, selection, maxReplay + 1);
  if (count > maxReplay)
    throw invalidRequest(
      `That is more than ${maxReplay.toLocaleString("en")} deliveries, the most that one replay takes; choose a shorter time.`,
      "from",
    );
  await reserveReplay(db, endpoint, count, now);
}
