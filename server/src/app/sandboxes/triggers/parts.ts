import type { ScratchFolders } from "@beatmarket/jobs/scratch-folders.ts";
import type { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import type { EditContext } from "../../../resources/beats/publishing/own-beats.ts";
import type { AnswerParts } from "../../../resources/licenses/answers/ask.ts";
import type { CheckoutDependencies } from "../../../resources/orders/checkout.ts";
import type { Fulfilments } from "../../../resources/orders/fulfilment/fulfilments.ts";
import type { TestEventCall, TestEventSubject } from "../../../resources/sandboxes/control.ts";

/** What the test events of a test half are made with. */
export interface TriggerParts {
  checkout: CheckoutDependencies;
  publishing: EditContext;
  fulfilments: Fulfilments;
  answers: AnswerParts;
  objects: Pick<StoredObjects, "store">;
  scratch: ScratchFolders;
  /** What an account of plan standard may store. */
  standardBytes: number;
}

/** What is done, so that an event of a type follows. Returns what the event is about. */
export type Chain = (parts: TriggerParts, call: TestEventCall) => Promise<TestEventSubject>;

export const nowOf = ({ checkout }: Pick<TriggerParts, "checkout">): Date => new Date(checkout.clock.nowMs());
