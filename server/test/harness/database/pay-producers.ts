import type { Database } from "../../../src/database/connect.ts";
import { continueRun } from "../../../src/resources/payouts/run-payouts.ts";

/** Continues the open payout run, like the server's job every 15 seconds. It must be a run that pays by file. */
export const payProducers = ({ query: db }: Pick<Database, "query">): Promise<void> =>
  continueRun({ db, now: () => new Date(), publicUrl: "https://localhost:8443", transfers: null });
