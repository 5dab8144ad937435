import { type Command, InvalidArgumentError } from "commander";
import type { BeatMarket } from "../../../javascript/src/client.ts";
import { PermissionDeniedError } from "../../../javascript/src/errors.ts";
import type { WebhookEvent } from "../../../javascript/src/generated/models.ts";
import { clientOf } from "../api.ts";
import { clientOptions, type GlobalOptions, serverOf } from "../connection.ts";
import { CommandError } from "../errors.ts";
import { eventTypes } from "../operation.ts";
import { recordText } from "../output/record.ts";
import { print, type Run } from "../run.ts";
import { type Chain, chains, unavailable } from "../trigger/chains.ts";

interface TriggerOptions {
  beat?: number;
  yes?: true;
}

const waitSeconds = 30;
const mostPages = 10;

/** `trigger TYPE`: performs the action that an event describes, so that the event is real. */
export function triggerCommand(program: Command, run: Run): void {
  const command = program
    .command("trigger")
    .summary("Cause an event of a type.")
    .description(
      "Cause an event by doing what it describes: an order with a test card, an upload, a change of your profile. The event, its delivery and the order are real, and stay. Then show the event. With a test key the server causes an event of any type.",
    )
    .argument("<type>", `one of ${eventTypes.map((eventType) => eventType.type).join(", ")}`, readType)
    .option("--beat <id>", "the beat of the order", readId)
    .option("--yes", "required with a live key, for a server other than localhost");
  command.action((type: string, options: TriggerOptions) => run(command, (globals) => trigger(type, options, globals)));
}

function readType(type: string): string {
  if (eventTypes.some((eventType) => eventType.type === type)) return type;
  throw new InvalidArgumentError(`The types are ${eventTypes.map((eventType) => eventType.type).join(", ")}.`);
}

function readId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("It takes the id of a beat.");
  return Number(text);
}

async function trigger(type: string, options: TriggerOptions, globals: GlobalOptions): Promise<void> {
  const { origin } = serverOf(globals, process.env);
  const isTest = clientOptions(globals, process.env).apiKey.startsWith("bm_test_");
  if (!isTest && options.yes !== true && !/^https?:\/\/(localhost|127\.|\[::1\])/.test(origin))
    throw new CommandError(
      `This places real orders or uploads at ${origin}. Add --yes if that is a server for tests; nothing was done.`,
    );
  const client = clientOf(globals, process.env);
  const after = await newestPosition(client, type);
  const hasChain = Object.hasOwn(chains, type);
  if (isTest && options.beat !== undefined && !hasChain)
    throw new CommandError(`The server chooses the beat of ${type}. Leave out --beat; nothing was done.`);
  const serverAction = isTest && options.beat === undefined ? await askServer(client, type, hasChain) : null;
  const action = serverAction ?? (await chainOf(type)({ client, beatId: options.beat }));
  process.stderr.write(`${action}\n`);
  const event = await nextEvent(client, type, after);
  if (globals.json === true) return print(JSON.stringify(event));
  const { data, ...envelope } = event;
  print(`${recordText(envelope)}\n\n${recordText(data as Record<string, unknown>)}`);
}

/**
 * Lets the server cause the event. Returns a sentence about the action. Returns null if the server refuses and the command
 * has a chain of calls that causes the event. The server refuses keys of sandboxes.
 */
async function askServer(client: BeatMarket, type: string, hasChain: boolean): Promise<string | null> {
  try {
    const { type: _, ...ids } = await client.events.trigger({ type });
    return `The server caused it: ${Object.entries(ids)
      .map(([name, id]) => `${name} ${id}`)
      .join(", ")}.`;
  } catch (error) {
    if (hasChain && error instanceof PermissionDeniedError) return null;
    throw error;
  }
}

function chainOf(type: string): Chain {
  const chain = chains[type];
  if (chain !== undefined) return chain;
  const reason = unavailable[type] ?? "it concerns other accounts.";
  throw new CommandError(
    `This key cannot cause ${type}: ${reason} A key of test mode, which begins with bm_test_, can.`,
  );
}

/** The position of the newest event of a type. */
async function newestPosition(client: BeatMarket, type: string): Promise<number> {
  let { events, next } = await client.events.list({ type, limit: 1_000 });
  while (events.length === 1_000) ({ events, next } = await client.events.list({ type, limit: 1_000, after: next }));
  return next;
}

async function nextEvent(client: BeatMarket, type: string, position: number): Promise<WebhookEvent> {
  let after = position;
  for (let page = 0; page < mostPages; page += 1) {
    const { events, next } = await client.events.list({ type, after, wait: waitSeconds });
    const [event] = events;
    if (event !== undefined) return event;
    after = next;
  }
  throw new CommandError(`No ${type} arrived within five minutes. Does the server run its background jobs?`);
}
