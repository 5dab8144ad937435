import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { operations, parametersOf, program } from "./command-line.mjs";
import { describe } from "./describe.mjs";

// The driver of the command line. It starts a process for each action. clients/conformance/README.md describes the protocol.

/** The superclasses of the errors. Any other is a subclass of APIStatusError. The command line prints only its name. */
const above = {
  BeatMarketError: [],
  APIConnectionError: ["BeatMarketError"],
  APITimeoutError: ["APIConnectionError", "BeatMarketError"],
  APIStatusError: ["BeatMarketError"],
  UploadRejectedError: ["BeatMarketError"],
  ChecksumError: ["BeatMarketError"],
};

const actions = {
  call: async ({ client, args }) => {
    const operation = operationOf(args);
    const { status, output, failure, response } = await run(
      client,
      parametersOf(operation, args.arguments),
      args.options,
    );
    if (status !== 0) return { error: normalError(failure) };
    const value = resultOf(operation, JSON.parse(output));
    const read = args.read && Object.fromEntries(args.read.map((path) => [path, valueAt(value, path)]));
    return { value, meta: response ?? null, ...(read !== undefined && { read }) };
  },

  request: async ({ client, args: { method, path, query = {}, headers = {}, body } }) => {
    const parts = Object.entries(query).filter(([, value]) => value !== null);
    const parameters = [
      ...parts.map(([name, value]) => `--query=${name}=${value}`),
      ...Object.entries(headers).map(([name, value]) => `--header=${name}:${value}`),
      ...(body === undefined ? [] : [`--body=${JSON.stringify(body)}`]),
    ];
    const { status, output, failure, response } = await run(client, ["request", ...parameters, "--", method, path]);
    return status === 0 ? { value: JSON.parse(output), meta: response } : { error: normalError(failure) };
  },

  iterate: async ({ client, args }) => {
    const walk = args.max_items === undefined ? ["--all"] : [`--max-items=${args.max_items}`];
    const parameters = parametersOf(operationOf(args), args.arguments);
    const { status, output, failure } = await run(client, [...parameters.slice(0, 2), ...walk, ...parameters.slice(2)]);
    const items = output === "" ? [] : JSON.parse(output).map(({ id }) => id);
    return { items, errors: status === 0 ? [] : [normalError(failure)] };
  },

  upload: async ({ client, args }) => {
    const { path, kind, upload_id: id, part_bytes: partBytes } = args;
    const parameters = id === undefined ? ["upload", path, "--kind", kind] : ["resume", id, path];
    const parts = partBytes === undefined ? [] : [`--part-bytes=${partBytes}`];
    return moved(client, ["uploads", ...parameters, ...parts]);
  },

  download: async ({ client, args }) => {
    const { order_id: id, kind, path } = args;
    const { value, ...result } = await moved(client, ["orders", "download", `${id}`, "--kind", kind, "--out", path]);
    return value === undefined ? result : { value: value[0], ...result };
  },

  download_all: ({ client, args }) => moved(client, ["orders", "download", `${args.order_id}`, "--out", args.folder]),

  wait: ({ client, args }) => runClient(client, ["uploads", "wait", args.upload_id]),

  describe: () => describe(),
};

async function runClient(client, parameters) {
  const { progress, ...result } = await moved(client, parameters);
  return result;
}

/** The output of a command that transfers a file, and the progress that it reported. */
async function moved(client, parameters) {
  const { status, output, failure, progress } = await run(client, parameters);
  return { ...(status === 0 ? { value: JSON.parse(output) } : { error: normalError(failure) }), progress };
}

/** Runs the command line, which prints facts about a response or an error as lines of JSON on standard error. */
async function run(client, parameters, options = {}) {
  const timeout = options.timeout_seconds ?? client.timeout_seconds;
  const retries = options.max_retries ?? client.max_retries;
  const { max_retry_after_seconds: longest } = client;
  const global = [
    ...["--json", "--include", `--server=${client.base_url}`],
    ...(client.ca_file === undefined ? [] : [`--ca=${client.ca_file}`]),
    ...(timeout === undefined ? [] : [`--timeout=${timeout}`]),
    ...(retries === undefined ? [] : [`--max-retries=${retries}`]),
    ...(longest === undefined ? [] : [`--max-retry-after=${longest}`]),
  ];
  const env = { PATH: process.env.PATH, BEATMARKET_API_KEY: client.api_key, XDG_CONFIG_HOME: "/nonexistent" };
  for (const name of ["HTTPS_PROXY", "NO_PROXY"]) if (process.env[name]) env[name] = process.env[name];
  const child = spawn(process.execPath, [program, ...global, ...parameters], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const [output, errorOutput, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const lines = errorOutput.split("\n").flatMap((line) => parsed(line) ?? []);
  const failure = lines.find(({ error }) => error !== undefined)?.error ?? { message: errorOutput };
  const progress = lines.flatMap(({ progress }) => progress ?? []);
  return {
    status,
    output,
    failure,
    progress,
    response: lines.find(({ response }) => response !== undefined)?.response,
  };
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The result of an operation in the form of the other drivers. */
function resultOf({ result }, body) {
  const [key] = result.keys;
  if (result.kind === "file") return body;
  if (body === null || result.kind === "none") return null;
  if (result.kind === "object" || result.kind === "array") return body.data?.[key];
  if (result.kind !== "pages" || result.keys.length > 1) return body.data;
  const { [key]: items, ...rest } = body.data;
  return { items, ...rest };
}

function operationOf({ operation }) {
  const match = operations.find(({ id }) => id === operation);
  if (match === undefined) throw new Unsupported(`operation ${operation}`);
  return match;
}

function normalError({ message, name = "BeatMarketError", status, code, reason, details, ...failure }) {
  return {
    class: name,
    is: [name, ...(above[name] ?? ["APIStatusError", "BeatMarketError"])],
    status: status ?? null,
    code: code ?? null,
    message: reason ?? message,
    details: details ?? null,
    request_id: failure.request_id ?? null,
    retry_after: failure.retry_after ?? null,
    rate_limit: failure.rate_limit ?? null,
    cause: failure.cause ?? null,
    idempotency_key: failure.idempotency_key ?? null,
    ...(failure.upload !== undefined && { upload: failure.upload }),
    text: message,
  };
}

const valueAt = (value, path) => path.split(".").reduce((each, name) => each?.[name], value) ?? null;

class Unsupported extends Error {}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...request } = JSON.parse(line);
  let reply;
  try {
    if (!Object.hasOwn(actions, request.action)) throw new Unsupported(`action ${request.action}`);
    reply = { id, result: await actions[request.action](request) };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    reply = { id, unsupported: error.message };
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
