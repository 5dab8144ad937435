import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { deliver, isSuccess } from "@beatmarket/webhook-testing/drill/wire.ts";
import { forwardedJson, forwardedText } from "@beatmarket/webhook-testing/forwarded-text.ts";
import { listenByKey } from "@beatmarket/webhook-testing/listen-by-key.ts";
import { type Command, InvalidArgumentError } from "commander";
import { sign } from "../../../javascript/src/webhooks.ts";
import { clientOptions, type GlobalOptions } from "../connection.ts";
import { eventTypes } from "../operation.ts";
import { print, type Run, stopSignal } from "../run.ts";

interface ListenOptions {
  forward: URL;
  events?: string[];
  secret?: string;
}

/** The time limit for a receiver's response, as in the service. */
const limitMs = 15_000;

/** `listen`: forwards the events of the key's account to a receiver on this machine. */
export function listenCommand(program: Command, run: Run): void {
  const command = program
    .command("listen")
    .summary("Forward your events to a receiver on this machine.")
    .description(
      "Forward the events of the key's account to a receiver on this machine, from now on and until stopped. The key needs events:read.",
    )
    .requiredOption("--forward <url>", "the receiver, such as http://localhost:3000/webhooks", readReceiver)
    .option("--events <list>", "event types, separated by commas (default: all)", readTypes)
    .option("--secret <secret>", "sign with this secret, whsec_… (default: WEBHOOK_SECRET, else a new one)");
  command.action((options: ListenOptions) => run(command, (globals) => listen(options, globals)));
}

function readReceiver(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError("It takes an address such as http://localhost:3000/webhooks.");
}

function readTypes(text: string): string[] {
  const types = text.split(",").map((type) => type.trim());
  const unknown = types.find((type) => !eventTypes.some((eventType) => eventType.type === type));
  if (unknown === undefined) return types;
  throw new InvalidArgumentError(
    `There is no type ${unknown}; the types are ${eventTypes.map(({ type }) => type).join(", ")}.`,
  );
}

async function listen(options: ListenOptions, globals: GlobalOptions): Promise<void> {
  const { apiKey, baseUrl, caFile } = clientOptions(globals, process.env);
  const { forward: url, events } = options;
  const secret = options.secret ?? (process.env.WEBHOOK_SECRET || `whsec_${randomBytes(32).toString("base64")}`);
  const json = globals.json === true;
  const ca = globals.ca === undefined ? undefined : await readFile(globals.ca, "utf8");
  await listenByKey(
    {
      server: new URL(baseUrl).origin,
      apiKey,
      ca: caFile,
      events,
      signal: stopSignal(),
      deliver: async (body, _, at) => {
        const startMs = performance.now();
        const headers = await sign(body, secret, at);
        const response = await deliver({ url, ca, limitMs }, { headers, body: body.toString() });
        const durationMs = performance.now() - startMs;
        return { status: response.status, durationMs, error: isSuccess(response) ? null : response.words };
      },
    },
    {
      onReady: () =>
        print(
          json
            ? JSON.stringify({ ready: true, server: baseUrl, forward: url.href, secret })
            : `ready: events of the key's account go to ${url.href}\nsecret: ${secret}\n(stop with Ctrl-C)`,
        ),
      onForwarded: (forwarded) => print((json ? forwardedJson : forwardedText)(forwarded)),
      onTrouble: (sentence) => void process.stderr.write(`${sentence}\n`),
    },
  );
}
