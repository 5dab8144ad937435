import { systemClock } from "@beatmarket/foundation/clock.ts";
import { notFound, OperatorError } from "@beatmarket/foundation/errors.ts";
import { repeat } from "@beatmarket/foundation/repeat.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { forwardedJson, forwardedText } from "@beatmarket/webhook-testing/forwarded-text.ts";
import { type Forwarded, listenByKey } from "@beatmarket/webhook-testing/listen-by-key.ts";
import { parseEndpointUrl } from "@beatmarket/webhooks/address/endpoint-url.ts";
import type { Attempt } from "@beatmarket/webhooks/delivery/attempts.ts";
import { DeliveryWorker } from "@beatmarket/webhooks/delivery/worker.ts";
import { deleteForwardingEndpoint, recordHeartbeat } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { Sender } from "@beatmarket/webhooks/sender.ts";
import { newSecret, signatureHeaders } from "@beatmarket/webhooks/signature.ts";
import { type Command, Option } from "commander";
import type { Config } from "../../config.ts";
import type { Database } from "../../database/connect.ts";
import { demoEmail } from "../../demo/seed.ts";
import { findAccount } from "../../resources/users/accounts.ts";
import { createForwardingEndpoint } from "../../resources/webhooks/endpoints.ts";
import { type EventType, eventTypes } from "../../resources/webhooks/event-types.ts";
import { eventRules } from "../../resources/webhooks/outbox.ts";
import { readEventTypes, reading } from "../terminal/arguments.ts";
import { createLogger } from "../terminal/output.ts";
import { runCommand, stopSignal, withDatabase } from "../terminal/run.ts";

const heartbeatIntervalMs = 5_000;

interface ListenOptions {
  forward: string;
  email: string;
  server?: string;
  apiKey?: string;
  ca?: string;
  events?: EventType[];
  secret?: string;
  json?: true;
}

/** `webhooks listen`: forwards an account's events to a receiver on this machine. */
export function listenCommand(webhooks: Command): void {
  webhooks
    .command("listen")
    .description("Forward an account's events to a receiver on this machine, until stopped.")
    .requiredOption(
      "--forward <url>",
      "the receiver, such as http://localhost:3000/webhooks; http and every port are allowed",
    )
    .option("--email <address>", "the account's e-mail address", demoEmail)
    .option("--server <url>", "read the events of a server elsewhere with an API key, without its database")
    .addOption(new Option("--api-key <key>", "with --server: an API key with events:read").env("BEATMARKET_API_KEY"))
    .addOption(
      new Option("--ca <file>", "with --server: the PEM file of the CA that issued the server's certificate").env(
        "BEATMARKET_CA_FILE",
      ),
    )
    .option("--events <list>", `comma-separated, of ${eventTypes.join(", ")} (default: all)`, reading(readEventTypes))
    .option("--secret <secret>", "sign with this secret, whsec_… (default: a new one)", reading(readSecret))
    .option("--json", "print JSON lines")
    .action((options: ListenOptions) => {
      const { server } = options;
      return server === undefined
        ? withDatabase((database, config) => listen(database, config, options))
        : runCommand(() => listenToServer({ ...options, server }));
    });
}

/** Like `listen`, for users who have a key but not the service's folder. */
async function listenToServer({ json, ...options }: ListenOptions & { server: string }): Promise<void> {
  const { href: forward } = parseEndpointUrl(options.forward, { allowPrivate: true });
  const { apiKey, secret = newSecret() } = options;
  if (apiKey === undefined)
    throw new OperatorError("--server needs an API key with events:read. Put it into BEATMARKET_API_KEY.");
  const stopping = new AbortController();
  void stopSignal().then(() => stopping.abort());
  const sender = new Sender({ userAgent: eventRules.userAgent, allowPrivate: true, clock: systemClock });
  const deliver = (body: Buffer, id: string, time: Date) => {
    const message = { id, timestampSeconds: Math.floor(time.getTime() / 1_000), body };
    return sender.send({ url: forward, body, headers: signatureHeaders(message, [secret]) });
  };
  try {
    await listenByKey(
      { ...options, apiKey, signal: stopping.signal, deliver },
      {
        onReady: () =>
          print(
            json === true
              ? JSON.stringify({ ready: true, server: options.server, forward, secret })
              : `ready: events of the key's account go to ${forward}\nsecret: ${secret}\n(stop with Ctrl-C)`,
          ),
        onForwarded: (forwarded) => print((json === true ? forwardedJson : forwardedText)(forwarded)),
        onTrouble: (sentence) => void process.stderr.write(`${sentence}\n`),
      },
    );
  } finally {
    await sender.close();
  }
}

async function listen(database: Database, config: Config, options: ListenOptions): Promise<void> {
  const { query: db } = database;
  const stopping = stopSignal();
  const { href: url } = parseEndpointUrl(options.forward, { allowPrivate: true });
  const account = await findAccount(db, options.email);
  if (account === null)
    throw notFound(`There is no account with the e-mail address ${options.email}; name one with --email.`);
  const secrets = await openSecretBox(config);
  const secret = options.secret ?? newSecret();
  const request = { userId: account.id, url, eventTypes: options.events ?? null, secret };
  const { id } = await createForwardingEndpoint(db, request, { secrets, now: now() });
  const ending = Promise.withResolvers<void>();
  const parent = process.ppid;
  const stopHeartbeat = repeat(
    heartbeatIntervalMs,
    async () => {
      await recordHeartbeat(db, id, now());
      // npx does not forward signals, so this process would continue after npx has ended.
      if (process.ppid !== parent) ending.resolve();
    },
    (error) => {
      // Other errors, such as a lost connection, are retried.
      if (error instanceof OperatorError) ending.reject(error);
    },
  );
  const sender = new Sender({ userAgent: eventRules.userAgent, allowPrivate: true, clock: systemClock });
  const worker = new DeliveryWorker({
    database,
    clock: systemClock,
    log: createLogger(config),
    sender,
    rules: eventRules,
    secrets,
    scope: { endpointId: id },
    onAttempt: (attempt) => print((options.json === true ? forwardedJson : forwardedText)(forwardedBy(attempt))),
  });
  try {
    await worker.start();
    print(
      options.json === true
        ? JSON.stringify({ ready: true, endpoint: id, email: account.email, forward: url, secret })
        : `ready: events of ${account.email} go to ${url}\nsecret: ${secret}\n(stop with Ctrl-C)`,
    );
    await Promise.race([stopping, ending.promise]);
  } finally {
    await worker.stop();
    await stopHeartbeat();
    await deleteForwardingEndpoint(db, id);
    await sender.close();
  }
}

const now = (): Date => new Date(systemClock.nowMs());

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

function readSecret(text: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(text))
    throw new OperatorError(
      "--secret takes `whsec_` and at least 32 characters of base64, as `beatmarket webhooks create` prints it.",
    );
  return text;
}

const forwardedBy = ({ delivery, outcome, startedAt }: Attempt): Forwarded => ({
  event: { id: delivery.eventId, type: delivery.type },
  startedAt,
  outcome,
});
