import type { Queryable } from "../../database/connection/connect.ts";
import { invalidRequest } from "../../errors.ts";
import { countReplayable, type Selection } from "../../resources/webhooks/debugging/replay.ts";
import type { Endpoint } from "../../resources/webhooks/endpoints/endpoint.ts";
import { maxReplay } from "./schema.ts";

/** 400 for a replay of more than `maxReplay` deliveries. */
export async function limitReplay(db: Queryable, endpoint: Endpoint, selection: Selection): Promise<void> {
  if ((await countReplayable(db, endpoint.id, selection, maxReplay + 1)) > maxReplay)
    throw invalidRequest(
      `That is more than ${maxReplay.toLocaleString("en")} deliveries, the most that one replay takes; choose a shorter time.`,
      "from",
    );
}
