import { type Command, InvalidArgumentError, Option } from "commander";
import { pathOf } from "../../../javascript/src/arguments.ts";
import { operations as clientOperations } from "../../../javascript/src/generated/operations.ts";
import { List } from "../../../javascript/src/list.ts";
import { resultOf } from "../../../javascript/src/reading.ts";
import { Api } from "../api.ts";
import type { GlobalOptions } from "../connection.ts";
import { CommandError } from "../errors.ts";
import type { Operation, Value } from "../operation.ts";
import { answerText } from "../output/answer.ts";
import { tableText } from "../output/table.ts";
import { isWaveform, waveformText } from "../output/waveform.ts";
import { print, type Run, showResponse, terminalWidth } from "../run.ts";
import { flagOf, helpOf, optionOf, parseBody, parserOf, placeholderOf } from "../values.ts";

interface CommandInput {
  ids: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
  headers: Record<string, string>;
}

interface Walk {
  all?: true;
  maxItems?: number;
}

/** Adds the command of an operation: its ids and required query parameters as arguments, all other values as flags. */
export function operationCommand(parent: Command, operation: Operation, run: Run): void {
  const { command: words, ids, query, body, summary, result } = operation;
  const places = [...ids, ...query.filter(({ isRequired }) => isRequired)];
  const command = parent
    .command(words.at(-1) ?? "")
    .summary(`${summary}.`)
    .description(descriptionOf(operation));
  for (const { name, description } of places) command.argument(`<${name}>`, description);
  const flags = [...query.filter(({ isRequired }) => !isRequired), ...body];
  for (const value of flags) command.addOption(optionOfValue(value));
  if (body.length > 0)
    command
      .option("--body <json>", "the whole body: JSON, @file, or - for standard input", parseBody)
      .option("--null <fields>", "fields to send as null, separated by commas", (text) => text.split(","));
  if (operation.isIdempotent)
    command.option("--idempotency-key <key>", "calls with the same key take effect only once");
  if (operation.isConditional) command.option("--if-match <etag>", "only if the beat is unchanged since this ETag");
  if (result.kind === "pages")
    command
      .option("--all", "all pages instead of one; with --json one array of the items")
      .option("--max-items <number>", "like --all, but at most this number of items", parseCount);
  command.action((...parameters: unknown[]) => {
    const input = inputOf(operation, places, flags, parameters);
    const options = command.opts<Walk>();
    return run(command, (globals) => {
      const api = new Api(globals, process.env);
      const isWalk = options.all === true || options.maxItems !== undefined;
      return isWalk ? walk(api, operation, input, options, globals.json) : once(api, operation, input, globals);
    });
  });
}

const descriptionOf = ({ description, permission, isOfTestMode }: Operation): string => {
  const anyKey = isOfTestMode === true ? "Any test key may call it." : "Any key may call it.";
  return `${description}\n\n${permission === null ? anyKey : `The key needs ${permission}.`}`;
};

/** A boolean flag may be without a value. */
function optionOfValue(value: Value): Option {
  const option = new Option(`${flagOf(value)} ${placeholderOf(value)}`, helpOf(value)).argParser(parserOf(value));
  return value.type === "boolean" ? option.preset("true") : option;
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It takes a whole number from 0 up.");
  return Number(text);
}

function inputOf(operation: Operation, places: Value[], flags: Value[], parameters: unknown[]): CommandInput {
  const options = parameters[places.length] as Record<string, unknown>;
  const fromArguments = Object.fromEntries(places.map(({ name }, at) => [name, String(parameters[at])]));
  const fromFlags = Object.fromEntries(flags.map((value) => [value.name, options[optionOf(value)]]));
  const valuesOf = (values: Value[]) =>
    Object.fromEntries(
      values.flatMap(({ name }) => {
        const value = fromArguments[name] ?? fromFlags[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const { idempotencyKey, ifMatch } = options as { idempotencyKey?: string; ifMatch?: string };
  return {
    ids: valuesOf(operation.ids) as Record<string, string>,
    query: valuesOf(operation.query),
    body: operation.body.length === 0 ? undefined : bodyOf(operation, valuesOf(operation.body), options),
    headers: {
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
    },
  };
}

function bodyOf(operation: Operation, fields: Record<string, unknown>, options: Record<string, unknown>) {
  const { body = {}, null: cleared = [] } = options as { body?: Record<string, unknown>; null?: string[] };
  const unknown = cleared.find((name) => !operation.body.some((field) => field.name === name));
  if (unknown !== undefined)
    throw new CommandError(
      `--null names ${unknown}; the fields are ${operation.body.map(({ name }) => name).join(", ")}.`,
    );
  return { ...body, ...Object.fromEntries(cleared.map((name) => [name, null])), ...fields };
}

const requestOf = (api: Api, { method, path }: Operation, { ids, query, body, headers }: CommandInput) => ({
  method,
  url: api.sender.url(pathOf({ path }, ids), query),
  body,
  headers,
  extraMs: Number(query.wait ?? 0) * 1_000,
});

type ClientOperation = keyof typeof clientOperations;

/** Sends one call. Prints the response's bytes, or a form for people. */
async function once(api: Api, operation: Operation, input: CommandInput, globals: GlobalOptions): Promise<void> {
  const { text, body, response } = await api.send(requestOf(api, operation, input));
  // As in the client, this throws if the response lacks the operation's result.
  if (operation.id in clientOperations) resultOf(clientOperations[operation.id as ClientOperation], body, response);
  showResponse(response, globals);
  if (globals.json === true) return print(text === "" ? "null" : text);
  const width = terminalWidth();
  print(answerText(operation, body, width));
  if (operation.id === "getBeat" && width !== undefined) await drawWaveform(api, body, width);
}

/** The beat has already been printed, so the command does not wait long for the waveform. */
const pictureLimits = { timeoutMs: 3_000, maxRetries: 0 };

/** Draws the waveform of a beat below its fields. Draws nothing if there is no waveform, or if it cannot be read. */
async function drawWaveform({ sender }: Api, body: unknown, width: number): Promise<void> {
  const address = (body as { data?: { beat?: { waveform_url?: unknown } } } | null)?.data?.beat?.waveform_url;
  if (typeof address !== "string" || !URL.canParse(address)) return;
  const url = new URL(address);
  // The request contains the key, so it may be sent only to the server.
  if (url.origin !== sender.url("/").origin) return;
  const waveform = await sender.send({ method: "GET", url, options: pictureLimits }).catch(() => null);
  if (isWaveform(waveform?.body)) print(`\n${waveformText(waveform.body, width)}`);
}

/** Prints the items of a list, at most `maxItems`. If a page fails, prints the items of the pages before it. */
async function walk(
  api: Api,
  operation: Operation,
  { ids, query }: CommandInput,
  { maxItems }: Walk,
  json: boolean | undefined,
): Promise<void> {
  const items: Readonly<Record<string, unknown>>[] = [];
  const clientOperation = clientOperations[operation.id as ClientOperation];
  const listing = { ...clientOperation, path: pathOf(clientOperation, ids) };
  const list = new List<Readonly<Record<string, unknown>>>(api.sender, listing, { query: { ...query, maxItems } });
  try {
    for await (const item of list) items.push(item);
  } finally {
    if (json === true) print(JSON.stringify(items));
    else print(items.length === 0 ? `no ${operation.result.keys[0]}` : tableText(items, terminalWidth()));
  }
}
