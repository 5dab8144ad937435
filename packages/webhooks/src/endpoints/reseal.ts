import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import { tablesOf } from "../tables.ts";
import { bucketSecret } from "./destination.ts";
import { currentSecret, type EndpointPlace, previousSecret } from "./endpoints.ts";

/** Small enough that one statement locks the endpoints for a few milliseconds only. */
const batchSize = 100;

export interface ResealResult {
  /** The number of endpoints whose secrets were sealed again. */
  resealed: number;
  /** The ids of endpoints with a secret that no key of this process opens. Such a secret stays unchanged. */
  unopened: number[];
}

/**
 * Seals the secrets of all endpoints under another key. `resealed` opens a sealed secret and seals it under that key;
 * it throws an OperatorError if it cannot open the secret. The service may run at the same time: a secret that changes
 * concurrently is not overwritten. After each batch, `onProgress` receives the number of endpoints so far.
 */
export async function resealEndpoints(
  db: Queryable,
  resealed: (sealed: string, place: EndpointPlace) => string,
  onProgress: (resealed: number) => void = () => {},
): Promise<ResealResult> {
  let count = 0;
  const unopened = new Set<number>();
  const reseal = (sealed: string | null, place: EndpointPlace): string | null => {
    if (sealed === null) return sealed;
    try {
      return resealed(sealed, place);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      unopened.add(place.id);
      return sealed;
    }
  };
  for (let after = 0; ; ) {
    const rows = await tablesOf(db)
      .selectFrom("webhook_endpoints")
      .select(["id", "secret", "previous_secret", "secret_access_key"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(batchSize)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return { resealed: count, unopened: [...unopened] };
    after = last.id;
    const changes = rows
      .map((row) => ({
        ...row,
        resealed: reseal(row.secret, currentSecret(row.id)),
        resealed_previous: reseal(row.previous_secret, previousSecret(row.id)),
        resealed_access_key: reseal(row.secret_access_key, bucketSecret(row.id)),
      }))
      .filter(
        (each) =>
          each.resealed !== each.secret ||
          each.resealed_previous !== each.previous_secret ||
          each.resealed_access_key !== each.secret_access_key,
      );
    if (changes.length === 0) continue;
    await sql`
      update webhook_endpoints endpoint set secret = change.resealed, previous_secret = change.resealed_previous,
        secret_access_key = change.resealed_access_key
      from json_to_recordset(${JSON.stringify(changes)}::text::json) as change
        (id bigint, secret text, previous_secret text, secret_access_key text,
         resealed text, resealed_previous text, resealed_access_key text)
      where endpoint.id = change.id and endpoint.secret = change.secret
        and endpoint.previous_secret is not distinct from change.previous_secret
        and endpoint.secret_access_key is not distinct from change.secret_access_key`.execute(db);
    count += changes.length;
    onProgress(count);
  }
}
