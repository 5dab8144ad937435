import { setTimeout as sleep } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import type { BeatMarket } from "../../../javascript/src/client.ts";
import type { ListRequestsQuery, LoggedRequest } from "../../../javascript/src/generated/models.ts";
import { clientOf } from "../api.ts";
import { padded, printable } from "../output/text.ts";
import { print, type Run, stopSignal } from "../run.ts";

interface TailOptions extends Pick<ListRequestsQuery, "status" | "method" | "text"> {
  statusClass?: string;
  operation?: string;
  lines: number;
  interval: number;
  all?: true;
}

/** The limit of pages in one poll. If there are more requests between two polls, the rest is omitted, with a notice. */
const mostPages = 10;
/**
 * Each poll begins this long before the newest request: a request is logged after its response, so a slow request can
 * appear after later ones.
 */
const lateMs = 60_000;

/** `logs tail`: prints the requests of the key's account as they arrive. */
export function logsCommand(program: Command, run: Run): void {
  const logs = program.command("logs").description("The request log of the key's account.");
  const command = logs
    .command("tail")
    .summary("Show the account's requests as they are made.")
    .description(
      "Show the requests of the key's account as they are made, until stopped. The requests of this command itself are left out. The key needs requests:read.",
    )
    .option("--status <number>", "only this status", Number)
    .option("--status-class <class>", "only 2xx, 3xx, 4xx or 5xx")
    .option("--method <text>", "only this method")
    .option("--operation <id>", "only this operation, such as listBeats")
    .option("--text <text>", "only requests with this text in path, query, error details, request id or user agent")
    .option("--lines <number>", "the number of earlier requests to show first", readCount, 10)
    .option("--interval <seconds>", "the time between two polls", readSeconds, 10)
    .option("--all", "also the requests of this command");
  command.action((options: TailOptions) =>
    run(command, async (globals) => {
      const show = (request: LoggedRequest) => print(globals.json === true ? JSON.stringify(request) : lineOf(request));
      await tail(clientOf(globals, process.env), options, show);
    }),
  );
}

async function tail(client: BeatMarket, options: TailOptions, show: (request: LoggedRequest) => void): Promise<void> {
  const stopping = stopSignal();
  const { status, statusClass, method, operation, text, lines, interval } = options;
  const filters = { status, status_class: statusClass, method, operation_id: operation, text } as ListRequestsQuery;
  const { requests } = await client.requests.list({ ...filters, limit: Math.max(1, lines) });
  let window = [...requests, ...(await listEarlier(client, filters, requests))];
  let isFirst = true;
  const ids = new Set<string>();
  while (!stopping.aborted) {
    const fresh = window.filter(({ id }) => !ids.has(id));
    const shownRequests = fresh.filter((request) => options.all === true || request.operation !== "listRequests");
    for (const request of (isFirst ? shownRequests.slice(0, lines) : shownRequests).reverse()) show(request);
    ids.clear();
    for (const { id } of window) ids.add(id);
    isFirst = false;
    const fromMs = Date.parse(window[0]?.created_at ?? new Date().toISOString()) - lateMs;
    await sleep(interval * 1_000, undefined, { signal: stopping }).catch(() => {});
    if (!stopping.aborted) window = await listNewer(client, { ...filters, from: new Date(fromMs) }, window);
  }
}

/** The older requests that the next poll reads again. Without their ids, it would take them for new requests. */
async function listEarlier(
  client: BeatMarket,
  filters: ListRequestsQuery,
  requests: LoggedRequest[],
): Promise<LoggedRequest[]> {
  const [newest] = requests;
  const oldest = requests.at(-1);
  if (newest === undefined || oldest === undefined) return [];
  const from = new Date(Date.parse(newest.created_at) - lateMs);
  const to = new Date(oldest.created_at);
  return from < to ? listNewer(client, { ...filters, from, to }, []) : [];
}

/** The requests of a query, newest first, from at most `mostPages` pages. If there are none, returns `before`. */
async function listNewer(
  client: BeatMarket,
  query: ListRequestsQuery,
  before: LoggedRequest[],
): Promise<LoggedRequest[]> {
  const newRequests: LoggedRequest[] = [];
  let after: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const { requests, next }: { requests: LoggedRequest[]; next: string | null } = await client.requests.list({
      ...query,
      limit: 100,
      after,
    });
    newRequests.push(...requests);
    if (next === null) return newRequests.length === 0 ? before : newRequests;
    after = next;
  }
  process.stderr.write("There are too many requests to show all of them: limit them with --text or --status.\n");
  return newRequests;
}

const lineOf = ({
  created_at,
  method,
  path,
  query,
  status,
  duration_ms,
  key_name,
  error_code,
  refused_by,
}: LoggedRequest) =>
  [
    created_at.slice(11, 23),
    String(status),
    padded(method, 6),
    `${printable(path)}${query === null || query === "" ? "" : `?${printable(query)}`}`,
    `${Math.round(duration_ms)} ms`,
    printable(key_name ?? ""),
    [error_code, refused_by].filter((fact) => fact !== null && fact !== undefined).join(" "),
  ]
    .join("  ")
    .trimEnd();

function readCount(text: string): number {
  if (!/^\d{1,2}$|^100$/.test(text)) throw new InvalidArgumentError("It takes a whole number from 0 to 100.");
  return Number(text);
}

function readSeconds(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError("It takes seconds from 1 up.");
  return Number(text);
}
