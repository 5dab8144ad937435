import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { LicenseSettings } from "../licensing/settings.ts";
import { changeBeat } from "./change-beat.ts";
import type { EditContext, OwnRequest } from "./context.ts";

/** Each beat has its own transaction, and the producer waits for all. */
const maxBeats = 2_000;

/**
 * Gives all beats of a producer the same licenses. Returns the number of beats that have them now, and the ids of frozen
 * ones, which stay unchanged. Throws 409 for more beats than one request may change.
 */
export async function changeAllLicenses(
  context: EditContext,
  request: OwnRequest,
  change: { settings: LicenseSettings; hasFreeDownload: boolean },
): Promise<{ changed: number; frozen: number[] }> {
  const beats = await context.db
    .selectFrom("beats")
    .leftJoin("beat_productions", "beat_id", "beats.id")
    .select([
      "beats.id",
      // The other beats have no tagged MP3 here.
      sql<boolean>`(beat_id is not null or audio_url is null) and preview_tag is distinct from 'none'`.as(
        "can_be_free",
      ),
    ])
    .where("user_id", "=", request.userId)
    .orderBy("beats.id")
    .limit(maxBeats + 1)
    .execute();
  if (beats.length > maxBeats)
    throw conflict(`You have more than ${maxBeats} beats; change their licenses by the API, a beat at a time.`);
  const frozen: number[] = [];
  for (const { id, can_be_free } of beats) {
    const changes = { license_settings: change.settings, free_download: change.hasFreeDownload && can_be_free };
    await changeBeat(context, { ...request, beatId: id, ifMatch: undefined }, changes).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      frozen.push(id);
    });
  }
  return { changed: beats.length - frozen.length, frozen };
}
