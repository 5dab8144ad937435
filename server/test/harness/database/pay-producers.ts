import type { Database } from "../../../src/database/connect.ts";
import { continueRun } from "../../../src/resources/payouts/run-payouts.ts";

/** Continues the open payout run by file, like the server's job, which does so every 15 seconds. */
export const payProducers = ({ query: db }: Pick<Database, "query">): Promise<void> =>
  continueRun({ db, now: () => new Date(), publicUrl: "https://localhost:8443", transfers: null });
