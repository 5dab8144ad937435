import type { CountedBars, FailedCalls, KeyClient, Period, StatusClass } from "../storage/call-store.ts";
import type { VictoriaLogsClient } from "./client.ts";
import { callOf, type Row } from "./rows.ts";
import { msOf, nsOfText } from "./times.ts";

const maxClients = 100;
const maxKinds = 1_000;

const msOfText = (text = ""): number => msOf(nsOfText(text));

/** The selected calls by bar of the period and by the first digit of their status. */
export async function barCounts(
  client: VictoriaLogsClient,
  selected: string,
  { fromMs, barMs }: Period,
): Promise<CountedBars["counts"]> {
  const rows = await client.query(`${selected} | stats by (_time:${barMs}ms, status) count() calls`);
  return rows.map(({ _time, status, calls }) => ({
    bar: Math.floor((msOfText(_time) - fromMs) / barMs),
    statusClass: Math.floor(Number(status) / 100) as StatusClass,
    calls: Number(calls),
  }));
}

/** The selected calls by status, reason and operation, last seen first. */
export async function failedGroups(client: VictoriaLogsClient, selected: string): Promise<FailedCalls[]> {
  const rows = await client.query(
    `${selected} | copy refused_by as kind | replace_regexp ("^parameter:.*", "parameter") at kind
     | stats by (status, kind, operation) count() calls, min(_time) first, max(_time) last, row_max(_time) latest
     | sort by (last desc) limit ${maxKinds}`,
  );
  return rows.map(({ calls, first, latest = "{}" }) => ({
    calls: Number(calls),
    firstMs: msOfText(first),
    latest: callOf(JSON.parse(latest) as Row),
  }));
}

/** The clients that made the selected calls, latest first. */
export async function clients(client: VictoriaLogsClient, selected: string): Promise<KeyClient[]> {
  const rows = await client.query(
    `${selected} | stats by (client, user_agent) count() calls, max(_time) last | sort by (last desc) limit ${maxClients}`,
  );
  return rows.map(({ client: clientAddress = "", user_agent: userAgent = "", calls, last }) => ({
    clientAddress,
    userAgent,
    calls: Number(calls),
    lastAt: new Date(msOfText(last)),
  }));
}
