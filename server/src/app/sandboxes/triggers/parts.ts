import { conflict } from "@beatmarket/foundation/errors.ts";
import type { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { EditContext } from "../../../resources/beats/publishing/own-beats.ts";
import type { AnswerParts } from "../../../resources/licenses/answers/ask.ts";
import type { CheckoutDependencies } from "../../../resources/orders/checkout.ts";
import type { Fulfilments } from "../../../resources/orders/fulfilment/fulfilments.ts";
import type { TestEventCall, TestEventSubject } from "../../../resources/sandboxes/control.ts";

/** The parts that create the test events of test mode. */
export interface TriggerParts {
  checkout: CheckoutDependencies;
  publishing: EditContext;
  fulfilments: Fulfilments;
  answers: AnswerParts;
  objects: Pick<StoredObjects, "store">;
  scratch: ScratchFolders;
  /** The bytes that an account of plan standard may store. */
  standardBytes: number;
}

/** Makes a change that causes an event of a type. Returns the subject of the event. */
export type Chain = (parts: TriggerParts, call: TestEventCall) => Promise<TestEventSubject>;

/** The first or the last beat on sale that is not the account's own, and that can be bought with any license. */
export async function beatOfOthers(
  { checkout }: Pick<TriggerParts, "checkout">,
  userId: number,
  place: "first" | "last",
): Promise<{ id: number; user_id: number }> {
  const beat = await checkout.db
    .selectFrom("beats")
    .select(["id", "user_id"])
    .where("is_listed", "=", true)
    .where("exclusive_state", "=", "available")
    .where("user_id", "<>", userId)
    .orderBy("id", place === "first" ? "asc" : "desc")
    .executeTakeFirst();
  if (beat === undefined) throw conflict("No beat of another account is on sale in test mode.");
  return beat;
}

export const nowOf = ({ checkout }: Pick<TriggerParts, "checkout">): Date => new Date(checkout.clock.nowMs());
