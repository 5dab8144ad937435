import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { signedCurl } from "@beatmarket/webhooks/debugging/signed-curl.ts";
import { type Delivery, type DeliveryState, deliveryStates, listDeliveries } from "@beatmarket/webhooks/deliveries.ts";
import { findEndpoint } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { resendDelivery, type Selection } from "@beatmarket/webhooks/replay.ts";
import { type Command, Option } from "commander";
import examples from "../../../../contract/examples.json" with { type: "json" };
import { type EventType, eventTypes } from "../../resources/webhooks/event-types.ts";
import { replayDeliveries, sendTestEvent } from "../../resources/webhooks/manual-deliveries.ts";
import { eventRules } from "../../resources/webhooks/outbox.ts";
import { parseDuration, parseMoment, reading, readWholeNumber } from "../terminal/arguments.ts";
import { tableText, wholeSecondsUtc } from "../terminal/output.ts";
import { printResult, withDatabase } from "../terminal/run.ts";

const endpointHelp = "the endpoint's id, as webhooks list shows it";
const deliveryHelp = "the delivery's id, as webhooks deliveries shows it";

/** `webhooks deliveries`, `resend`, `replay`, `test` and `curl`. */
export function deliveryCommands(webhooks: Command): void {
  deliveriesCommand(webhooks);
  resendCommand(webhooks);
  replayCommand(webhooks);
  testCommand(webhooks);
  curlCommand(webhooks);
}

function deliveriesCommand(webhooks: Command): void {
  webhooks
    .command("deliveries")
    .description("List an endpoint's deliveries, newest first.")
    .argument("<id>", endpointHelp, reading(readWholeNumber))
    .addOption(new Option("--state <state>", "only deliveries in this state").choices(deliveryStates))
    .option("--limit <count>", "the maximum number of deliveries", reading(readLimit), 50)
    .option("--json", "print JSON")
    .action((id: number, options: { state?: DeliveryState; limit: number; json?: true }) =>
      withDatabase(async ({ query }) => {
        await findEndpoint(query, id, "operator");
        const { limit, state } = options;
        const deliveries = await listDeliveries(
          query,
          id,
          { limit, ...(state !== undefined && { states: [state] }) },
          eventRules,
        );
        printResult(
          options.json,
          deliveries.map(deliveryJson),
          deliveries.length === 0 ? "No deliveries." : listText(deliveries),
        );
      }),
    );
}

function resendCommand(webhooks: Command): void {
  webhooks
    .command("resend")
    .description("Send one delivery again, with the same event id.")
    .argument("<id>", deliveryHelp, reading(readWholeNumber))
    .option("--json", "print JSON")
    .action((id: number, options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        await resendDelivery(query, id, "operator", now());
        printResult(options.json, { id, state: "pending" }, `Delivery ${id} is queued again.`);
      }),
    );
}

interface ReplayOptions {
  failed?: true;
  skipped?: true;
  from?: Date;
  to?: Date;
  json?: true;
}

function replayCommand(webhooks: Command): void {
  webhooks
    .command("replay")
    .description("Send an endpoint's deliveries again: failed ones, skipped ones, or those of a time range.")
    .argument("<id>", endpointHelp, reading(readWholeNumber))
    .option("--failed", "deliveries that failed permanently")
    .option("--skipped", "deliveries skipped while the endpoint was disabled")
    .option("--from <when>", "events from this time on: a duration ago such as 2h, a date or a time", reading(readPast))
    .option("--to <when>", "events before this time", reading(readPast))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
With only a time range, every event of that range is sent, including delivered events and events without a delivery to
the endpoint. Event ids stay the same, so receivers can recognise duplicates.`,
    )
    .action((id: number, options: ReplayOptions) =>
      withDatabase(async ({ query }) => {
        const selection = selectionOf(options);
        const endpoint = await findEndpoint(query, id, "operator");
        const replayed = await replayDeliveries(query, endpoint, selection, "operator", now());
        printResult(options.json, { id, replayed }, `${replayed} deliveries of endpoint ${id} are queued.`);
      }),
    );
}

function selectionOf({ failed, skipped, from, to }: ReplayOptions): Selection {
  const states = [...(failed ? ["failed" as const] : []), ...(skipped ? ["skipped" as const] : [])];
  if (states.length === 0 && from === undefined && to === undefined)
    throw new OperatorError(
      "Choose the deliveries to replay: --failed, --skipped, or a time range with --from and --to.",
    );
  return { ...(states.length > 0 && { states }), from, to };
}

function testCommand(webhooks: Command): void {
  webhooks
    .command("test")
    .description("Send an example event of each type to an endpoint, regardless of its subscriptions.")
    .argument("<id>", endpointHelp, reading(readWholeNumber))
    .addOption(new Option("--type <type>", "only an event of this type").choices(eventTypes))
    .option("--json", "print JSON")
    .action((id: number, options: { type?: EventType; json?: true }) =>
      withDatabase(async ({ query }) => {
        const endpoint = await findEndpoint(query, id, "operator");
        const types = options.type === undefined ? eventTypes : [options.type];
        const deliveries: number[] = [];
        for (const type of types)
          deliveries.push(await sendTestEvent(query, endpoint, { type, data: examples.events[type].data, at: now() }));
        printResult(
          options.json,
          { id, deliveries },
          `Sent ${types.join(", ")} to endpoint ${id}: see webhooks deliveries ${id}.`,
        );
      }),
    );
}

function curlCommand(webhooks: Command): void {
  webhooks
    .command("curl")
    .description("Print a delivery as a curl command, signed now.")
    .argument("<id>", deliveryHelp, reading(readWholeNumber))
    .option("--json", "print JSON")
    .action((id: number, options: { json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const line = await signedCurl(query, id, "operator", {
          secrets: await openSecretBox(config),
          now: now(),
          rules: eventRules,
        });
        printResult(options.json, { id, curl: line }, line);
      }),
    );
}

const now = (): Date => new Date(systemClock.nowMs());

/** Parses a time in the past: a duration ago, a date or a time. */
const readPast = (text: string): Date =>
  /^\d+[smhdw]$/.test(text) ? new Date(now().getTime() - parseDuration(text)) : parseMoment(text, now());

function readLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > 1_000) throw new OperatorError("It takes a number from 1 to 1,000.");
  return limit;
}

const deliveryJson = (delivery: Delivery) => ({
  id: delivery.id,
  event: delivery.eventId,
  type: delivery.type,
  state: delivery.state,
  attempts: delivery.attempts,
  next_attempt_at: wholeSecondsUtc(delivery.nextAttemptAt),
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  created_at: wholeSecondsUtc(delivery.createdAt),
});

const listText = (deliveries: readonly Delivery[]): string =>
  tableText([
    ["ID", "EVENT", "TYPE", "STATE", "ATTEMPTS", "NEXT", "LAST ERROR"],
    ...deliveries.map((delivery) => [
      String(delivery.id),
      delivery.eventId,
      delivery.type,
      delivery.state,
      String(delivery.attempts),
      wholeSecondsUtc(delivery.nextAttemptAt) ?? "",
      delivery.lastError ?? "",
    ]),
  ]);
