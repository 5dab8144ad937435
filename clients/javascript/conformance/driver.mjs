import { createInterface } from "node:readline";
import { inspect } from "node:util";
import * as beatmarket from "../dist/esm/node.js";
import { describe } from "./describe.mjs";
import { operations } from "./operations.mjs";

// The JavaScript driver; clients/conformance/README.md describes the protocol.

const { BeatMarket, BeatMarketError, SignatureVerificationError, webhooks } = beatmarket;

const actions = {
  call: ({ client, args }) =>
    hooked(client, async (hooks) => {
      const { value, meta } = await outcomeOf(called(clientOf(client, hooks), args));
      if (args.read === undefined) return { value, meta };
      return { value, meta, read: Object.fromEntries(args.read.map((path) => [path, at(value, path)])) };
    }),

  request: ({ client, args }) =>
    hooked(client, async (hooks) => {
      const { method, path, query, body, headers } = args;
      const { body: value, ...response } = await clientOf(client, hooks).request(method, path, {
        query,
        body,
        headers,
      });
      return { value, meta: metaOf(response) };
    }),

  iterate: async ({ client, args }) => {
    const { max_items: maxItems, resume } = args;
    const items = [];
    const errors = [];
    try {
      const list = called(clientOf(client), { ...args, arguments: { ...args.arguments, max_items: maxItems } });
      const iterator = list[Symbol.asyncIterator]();
      for (let isOver = false; !isOver; ) {
        try {
          for await (const item of iterator) items.push(idOf(item));
          isOver = true;
        } catch (error) {
          errors.push(normalError(error));
          isOver = resume !== true || errors.length === 3;
        }
      }
    } catch (error) {
      errors.push(normalError(error));
    }
    return { items, errors };
  },

  pages: async ({ client, args }) => {
    const pages = [];
    const walked = await attempt(async () => {
      let page = await called(clientOf(client), args);
      while (page !== null) {
        const ids = [];
        for (const item of page) ids.push(idOf(item));
        pages.push(ids);
        if (pages.length === args.pages) return { has_next: true };
        page = await page.nextPage();
      }
      return { has_next: false };
    });
    return { pages, has_next: true, ...walked };
  },

  follow: async ({ client, args }) => {
    const { changes, events } = clientOf(client);
    const feed = { listChanges: changes, listEvents: events }[args.operation];
    const pages = [];
    const errors = [];
    try {
      for await (const page of feed.follow(args.arguments)) {
        const { next } = page;
        const seen =
          "events" in page
            ? { ids: page.events.map(({ id }) => id) }
            : { positions: page.changes.map(({ position }) => position) };
        pages.push({ ...seen, next });
        if (pages.length === args.pages) break;
      }
    } catch (error) {
      errors.push(normalError(error));
    }
    return { pages, errors };
  },

  stream_events: async ({ client, args }) => {
    const ids = [];
    const errors = [];
    const stream = clientOf(client).events.stream(args.arguments);
    try {
      for await (const { id } of stream) if (ids.push(id) === args.events) break;
    } catch (error) {
      errors.push(normalError(error));
    }
    return { ids, position: stream.position, errors };
  },

  stream_export: async ({ client }) => {
    const ids = [];
    const read = await attempt(async () => {
      const beats = await clientOf(client).exports.beats();
      for await (const { id } of beats) ids.push(id);
      return { position: beats.position };
    });
    return { ids, ...read };
  },

  upload: async ({ client, args }) => {
    const { path, kind, upload_id: id, part_bytes: partBytes } = args;
    const { uploads } = clientOf(client);
    const progress = [];
    const onProgress = ({ uploadId, sent, bytes }) => progress.push({ upload_id: uploadId, sent, bytes });
    const options = { onProgress, partBytes };
    const made = await attempt(async () => ({
      value: await (id === undefined ? uploads.upload(path, { kind, ...options }) : uploads.resume(id, path, options)),
    }));
    return { ...made, progress };
  },

  wait: ({ client, args }) =>
    attempt(async () => {
      const { upload_id: id, timeout_seconds: seconds } = args;
      const timeoutMs = seconds === undefined ? undefined : seconds * 1_000;
      return { value: await clientOf(client).uploads.wait(id, { timeoutMs }) };
    }),

  download: ({ client, args }) =>
    downloading((onProgress) => clientOf(client).orders.download(args.order_id, args.kind, args.path, { onProgress })),

  download_all: ({ client, args }) =>
    downloading((onProgress) => clientOf(client).orders.downloadAll(args.order_id, args.folder, { onProgress })),

  parallel: async ({ client, args }) => {
    const instance = clientOf(client);
    const id = (given) =>
      operationOf(args)(instance, given).then(
        (value) => value.id,
        (error) => ({ error: normalError(error) }),
      );
    await id(args.calls[0][0]);
    const worker = async (calls) => {
      const ids = [];
      for (const given of calls) ids.push(await id(given));
      return ids;
    };
    return { values: await Promise.all(args.calls.map(worker)) };
  },

  secrets: async ({ client, args }) => {
    let log = "";
    const write = (...words) => {
      log += `${inspect(words, { depth: Number.POSITIVE_INFINITY })}\n`;
    };
    const instance = clientOf(client, { logger: { debug: write, warn: write } });
    const shown = [instance, instance.beats, instance.orders, instance.beats.list(), instance.webhooks];
    const errors = [];
    for (const call of args.calls) {
      const made = operationOf(call)(instance, call.arguments);
      shown.push(made);
      await Promise.resolve(made).then(
        (result) => shown.push(result),
        (error) => errors.push(error),
      );
    }
    await instance.webhooks.verify("{}", "0", args.secret).catch((error) => errors.push(error));
    return {
      log,
      inspected: shown.flatMap((one) => [everythingOf(one), inspect(one), JSON.stringify(one)]),
      errors: errors.flatMap((one) => [everythingOf(one), String(one), one.stack, JSON.stringify(one)]),
    };
  },

  verify: async ({ args }) => {
    try {
      await webhooks.verify(Buffer.from(args.body_base64, "base64"), args.header, args.secrets);
      return { verdict: "valid" };
    } catch (error) {
      if (error instanceof SignatureVerificationError) return { verdict: "invalid" };
      if (error instanceof BeatMarketError) return { verdict: "config_error" };
      throw error;
    }
  },

  unwrap: ({ args }) =>
    attempt(async () => ({
      value: await webhooks.unwrap(
        Buffer.from(args.body_base64, "base64"),
        args.headers,
        args.secrets,
        args.tolerance_seconds,
      ),
    })),

  describe: ({ args }) => describe(args),
};

async function downloading(download) {
  const progress = [];
  const made = await attempt(async () => ({ value: await download((state) => progress.push(state)) }));
  return { ...made, progress };
}

/** Prints an object with its non-enumerable members. */
const everythingOf = (value) => inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true });

function clientOf(given, more = {}) {
  const milliseconds = (seconds) => (seconds === undefined ? undefined : seconds * 1_000);
  return new BeatMarket({
    apiKey: given.api_key,
    baseUrl: given.base_url,
    caFile: given.ca_file,
    timeoutMs: milliseconds(given.timeout_seconds),
    maxRetries: given.max_retries,
    maxRetryAfterMs: milliseconds(given.max_retry_after_seconds),
    headers: given.headers,
    userAgentSuffix: given.user_agent_suffix,
    allowHttp: given.allow_http,
    ...more,
  });
}

const optionsOf = (given) =>
  given && {
    ...(given.timeout_seconds !== undefined && { timeoutMs: given.timeout_seconds * 1_000 }),
    ...(given.max_retries !== undefined && { maxRetries: given.max_retries }),
    ...{ headers: given.headers, query: given.query, body: given.body },
  };

/** Runs an action with a client that has the requested hooks, and adds the arguments of the hooks to the result. */
async function hooked({ hooks }, work) {
  if (hooks === undefined) return attempt(() => work({}));
  const seen = [];
  const noting = (hook) => (facts) => {
    if (hooks === `${hook} fails`) throw new Error("the hook fails");
    const { requestHeaders, durationMs, requestId, error, ...rest } = facts;
    const ofResponse = hook === "response" && {
      duration_ms: durationMs,
      request_id: requestId,
      error: error?.name ?? null,
    };
    seen.push({ hook, ...rest, request_headers: requestHeaders, ...ofResponse });
  };
  return {
    ...(await attempt(() => work({ onRequest: noting("request"), onResponse: noting("response") }))),
    hooks: seen,
  };
}

/** Calls a method. Marks an error that the method throws instead of rejecting with it. */
function called(client, args) {
  const { max_items: maxItems, ...rest } = args.arguments;
  const given = maxItems === undefined ? rest : { ...rest, maxItems };
  const call = operationOf(args);
  try {
    return call(client, given, optionsOf(args.options));
  } catch (error) {
    throw Object.assign(error, { isSynchronous: true });
  }
}

const idOf = (item) => (typeof item === "object" && item !== null && !Array.isArray(item) ? (item.id ?? null) : item);

function operationOf({ operation }) {
  if (!Object.hasOwn(operations, operation)) throw new Unsupported(`operation ${operation}`);
  return operations[operation];
}

/** The normalized result of a method and the metadata of its response. */
async function outcomeOf(made) {
  if (!("withResponse" in made)) {
    const { data, response, total: _, ...rest } = await made;
    // A search has the items of each kind in a separate list.
    return { value: data === undefined || "totals" in rest ? rest : { items: data, ...rest }, meta: metaOf(response) };
  }
  const { data, response } = await made.withResponse();
  return data === undefined ? { value: null, meta: null } : { value: data, meta: metaOf(response) };
}

const metaOf = ({ status, requestId, etag, rateLimit }) => ({
  status,
  request_id: requestId,
  etag,
  rate_limit: rateLimit,
});

async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unsupported) throw error;
    return { error: normalError(error) };
  }
}

function normalError(error) {
  if (!(error instanceof BeatMarketError)) return { class: null, text: everythingOf(error) };
  const is = [];
  for (
    let prototype = Object.getPrototypeOf(error);
    prototype !== Error.prototype;
    prototype = Object.getPrototypeOf(prototype)
  )
    is.push(prototype.name);
  return {
    class: is[0],
    is,
    status: error.status ?? null,
    code: error.code ?? null,
    message: error.reason ?? error.message,
    details: error.details ?? null,
    request_id: error.requestId ?? null,
    retry_after: error.retryAfterSeconds ?? null,
    content_type: error.contentType ?? null,
    excerpt: error.excerpt ?? null,
    rate_limit: error.rateLimit ?? null,
    cause: error.cause === undefined ? null : String(error.cause),
    idempotency_key: error.idempotencyKey ?? null,
    text: error.message,
    is_synchronous: error.isSynchronous,
    upload: error.upload,
  };
}

/** The value at a dotted path. There are no types at run time; describe.mjs checks the declared ones. */
const at = (value, path) => path.split(".").reduce((each, name) => each?.[name], value) ?? null;

class Unsupported extends Error {}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...asked } = JSON.parse(line);
  let reply;
  try {
    if (!Object.hasOwn(actions, asked.action)) throw new Unsupported(`action ${asked.action}`);
    reply = { id, result: await actions[asked.action](asked) };
  } catch (error) {
    reply =
      error instanceof Unsupported ? { id, unsupported: error.message } : { id, result: { error: normalError(error) } };
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
