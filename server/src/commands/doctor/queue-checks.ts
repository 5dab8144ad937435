import type { Queryable } from "../../database/connect.ts";
import {
  deliveriesVerdict,
  endpointsVerdict,
  jobsVerdict,
  mailsVerdict,
  paymentsVerdict,
} from "../../resources/operations/queue-verdicts.ts";
import type { Verdict } from "../../resources/operations/verdict.ts";
import type { DatabaseCheck } from "./check.ts";

const check = (name: string, verdict: (db: Queryable, now: Date) => Promise<Verdict>): DatabaseCheck => ({
  name,
  run: ({ database, clock }) => verdict(database.query, new Date(clock.nowMs())),
});

export const queueChecks: readonly DatabaseCheck[] = [
  check("webhook queue", deliveriesVerdict),
  check("webhook endpoints", endpointsVerdict),
  check("mail queue", mailsVerdict),
  check("media jobs", jobsVerdict),
  check("open payments", paymentsVerdict),
];
