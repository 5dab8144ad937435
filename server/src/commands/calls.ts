import { systemClock } from "@beatmarket/foundation/clock.ts";
import type { CallFilter } from "@beatmarket/request-log/call-filter.ts";
import { openCallLog } from "@beatmarket/request-log/call-log.ts";
import { type CallSummary, listCalls } from "@beatmarket/request-log/calls.ts";
import { type Command, InvalidArgumentError } from "commander";
import { requireAccount } from "../resources/users/accounts.ts";
import { parseDuration, reading, readWholeNumber } from "./terminal/arguments.ts";
import { tableText } from "./terminal/output.ts";
import { withDatabase } from "./terminal/run.ts";

interface CallsOptions extends Pick<CallFilter, "statusClass" | "status" | "text"> {
  email?: string;
  key?: number;
  status?: number;
  since?: number;
  limit: number;
  json?: true;
}

/** `calls`: the request log, for the operator. */
export function callsCommand(calls: Command): void {
  calls
    .option("--email <address>", "the account's e-mail address")
    .option("--key <id>", "only calls with this key of the account", reading(readWholeNumber))
    .option("--status <status>", "only this status, such as 429, or class, such as 4xx", readStatus)
    .option("--text <text>", "only calls with this text in path, query, error, request id or user agent")
    .option("--since <duration>", "only calls of the last 15m, 24h and so on", reading(parseDuration))
    .option("--limit <count>", "the maximum number of calls to show", reading(readWholeNumber), 50)
    .option("--json", "print one line of JSON per call")
    .action(({ email, key, status, since, limit, text, json }: CallsOptions) =>
      withDatabase(async (database, { requestLogEngine: engine }) => {
        const { query } = database;
        const account = email === undefined ? null : await requireAccount(query, email);
        const filter: CallFilter = {
          apiKeyId: key,
          text,
          ...(status !== undefined && (status < 10 ? { statusClass: status } : { status })),
          ...(since !== undefined && { fromMs: systemClock.nowMs() - since }),
        };
        const log = openCallLog({ engine, database, clock: systemClock, log: { warn: () => {} } });
        const calls: CallSummary[] = [];
        let before: string | undefined;
        do {
          const page = await listCalls(log, account?.id ?? null, filter, { limit: limit - calls.length, before });
          calls.push(...page.calls);
          before = page.next ?? undefined;
        } while (before !== undefined && calls.length < limit);
        process.stdout.write(
          json === true ? calls.map((call) => `${JSON.stringify(call)}\n`).join("") : callsTable(calls),
        );
      }),
    );
}

function callsTable(calls: readonly CallSummary[]): string {
  if (calls.length === 0) return "There are no such calls. Calls are kept for 30 days.\n";
  const rows = calls.map((call) => [
    call.time.toISOString(),
    String(call.status),
    `${call.durationMs.toFixed(1)} ms`,
    call.method,
    call.query === "" ? call.path : `${call.path}?${call.query}`,
    call.refusedBy ?? "",
    call.requestId,
  ]);
  return `${tableText([["TIME", "STATUS", "TOOK", "METHOD", "PATH", "REFUSED FOR", "REQUEST ID"], ...rows])}\n`;
}

/** Parses a status such as 404, or a class such as 4xx, of which it returns the first digit. */
function readStatus(text: string): number {
  const status = /^([1-5])xx$/i.exec(text)?.[1] ?? /^[1-5]\d\d$/.exec(text)?.[0];
  if (status === undefined) throw new InvalidArgumentError("It takes a status such as 429, or a class such as 4xx.");
  return Number(status);
}
