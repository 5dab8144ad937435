import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import type { LicenseSettings } from "../licensing/settings.ts";
import { changeBeat } from "./change-beat.ts";
import type { EditContext, OwnRequest } from "./context.ts";

/** Each beat is a transaction of its own, and the producer waits for all. */
const maxBeats = 2_000;

/**
 * Gives all beats of a producer the same licenses. Returns how many have them now, and the ids of those that an order froze, which
 * stay as they are. Throws 409 for more beats than one request changes.
 */
export async function changeAllLicenses(
  context: EditContext,
  request: OwnRequest,
  change: { settings: LicenseSettings; hasFreeDownload: boolean },
): Promise<{ changed: number; frozen: number[] }> {
  const beats = await context.db
    .selectFrom("beats")
    .select("id")
    .where("user_id", "=", request.userId)
    .orderBy("id")
    .limit(maxBeats + 1)
    .execute();
  if (beats.length > maxBeats)
    throw conflict(`You have more than ${maxBeats} beats; change their licenses by the API, a beat at a time.`);
  const frozen: number[] = [];
  const changes = { license_settings: change.settings, free_download: change.hasFreeDownload };
  for (const { id } of beats)
    await changeBeat(context, { ...request, beatId: id, ifMatch: undefined }, changes).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      frozen.push(id);
    });
  return { changed: beats.length - frozen.length, frozen };
}
