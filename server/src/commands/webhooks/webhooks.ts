import { readFile } from "node:fs/promises";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import type { BucketKey } from "@beatmarket/storage/signed-put.ts";
import { countUndelivered } from "@beatmarket/webhooks/deliveries.ts";
import type { Endpoint, Principal } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { listEndpoints } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { Argument, type Command } from "commander";
import { versionDates } from "../../access/versions.ts";
import { findOrCreateAccount, requireAccount } from "../../resources/users/accounts.ts";
import {
  createEndpoint,
  defaultOverlapMs,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  rotateSecret,
  updateEndpoint,
} from "../../resources/webhooks/endpoints.ts";
import { type EventType, eventTypes } from "../../resources/webhooks/event-types.ts";
import { parseDuration, readEventTypes, reading, readWholeNumber, versionOption } from "../terminal/arguments.ts";
import { tableText, wholeSecondsUtc } from "../terminal/output.ts";
import { printResult, withDatabase } from "../terminal/run.ts";
import { deliveryCommands } from "./deliveries.ts";
import { doctorCommand } from "./doctor.ts";
import { listenCommand } from "./listen.ts";

/** `webhooks …`: the operator manages the endpoints and deliveries of every account. */
export function webhooksCommand(webhooks: Command): void {
  createCommand(webhooks);
  listCommand(webhooks);
  versionCommand(webhooks);
  disableCommand(webhooks);
  enableCommand(webhooks);
  deleteCommand(webhooks);
  rotateCommand(webhooks);
  deliveryCommands(webhooks);
  listenCommand(webhooks);
  doctorCommand(webhooks);
}

const idHelp = "the endpoint's id, as webhooks list shows it";
const secretText = (secret: string, { kind }: Pick<Endpoint, "kind">): string =>
  `\n  ${secret}\n\n${kind === "s3" ? "Readers of the bucket verify objects with it (docs/buckets.md)." : "Receivers verify deliveries with it (docs/webhooks.md)."}`;

/**
 * Reads the access key of a bucket. The secret is in a file, because other users of the machine can see arguments.
 * Throws an OperatorError if only one of the options is set, or if the file cannot be read.
 */
async function readBucketKey({
  accessKeyId,
  secretAccessKeyFile: file,
}: {
  accessKeyId?: string;
  secretAccessKeyFile?: string;
}): Promise<BucketKey | undefined> {
  if (accessKeyId === undefined && file === undefined) return undefined;
  if (accessKeyId === undefined || file === undefined)
    throw new OperatorError("A bucket needs both --access-key-id and --secret-access-key-file.");
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new OperatorError(`${file} could not be read: ${cause.message}.`, { cause });
  });
  return { accessKeyId, secretAccessKey: text.trim() };
}

function createCommand(webhooks: Command): void {
  webhooks
    .command("create")
    .description("Create an endpoint, and the account if there is none.")
    .requiredOption("--email <address>", "the account's e-mail address")
    .requiredOption(
      "--url <url>",
      "where events are sent: https, port 443 or from 1024 up; or a bucket, such as s3://bucket/prefix?region=eu-central-1",
    )
    .option("--access-key-id <id>", "the access key of the bucket, which needs s3:PutObject")
    .option("--secret-access-key-file <file>", "a file with the secret of that access key")
    .option(
      "--events <list>",
      `comma-separated, of ${eventTypes.join(", ")} (default: all, including future ones)`,
      reading(readEventTypes),
    )
    .option("--description <text>", "what the endpoint is for", "")
    .option("--ordered", "one delivery at a time, in the order of the events")
    .addOption(versionOption("the version of the API for the shape of its events (default: the account's)"))
    .option("--json", "print JSON")
    .action(
      (options: {
        email: string;
        url: string;
        accessKeyId?: string;
        secretAccessKeyFile?: string;
        events?: EventType[];
        description: string;
        ordered?: true;
        apiVersion?: string;
        json?: true;
      }) =>
        withDatabase(async ({ query }, config) => {
          const bucketKey = await readBucketKey(options);
          const account = await findOrCreateAccount(query, { email: options.email });
          const { endpoint, secret } = await createEndpoint(
            query,
            {
              userId: account.id,
              url: options.url,
              bucketKey,
              eventTypes: options.events ?? null,
              description: options.description,
              isOrdered: options.ordered ?? false,
              version: options.apiVersion,
            },
            { secrets: await openSecretBox(config), allowPrivate: config.webhookAllowPrivate, now: now() },
            "operator",
          );
          printResult(
            options.json,
            { id: endpoint.id, secret },
            `Endpoint ${endpoint.id} of ${account.email} (user ${account.id}) gets ${typesText(endpoint)} at ${endpoint.url}.\n${secretText(secret, endpoint)}`,
          );
        }),
    );
}

function listCommand(webhooks: Command): void {
  webhooks
    .command("list")
    .description("List endpoints with their health and the numbers of pending, failed and skipped deliveries.")
    .option("--email <address>", "only endpoints of this account")
    .option("--json", "print JSON")
    .action((options: { email?: string; json?: true }) =>
      withDatabase(async ({ query }) => {
        const account = options.email === undefined ? null : await requireAccount(query, options.email);
        const principal: Principal = account === null ? "operator" : { ownerId: account.id };
        const listed: Listed[] = [];
        for (const endpoint of await listEndpoints(query, principal))
          listed.push({ ...endpoint, ...(await countUndelivered(query, endpoint.id)) });
        printResult(options.json, listed.map(listedJson), listed.length === 0 ? "No endpoints." : listText(listed));
      }),
    );
}

function versionCommand(webhooks: Command): void {
  webhooks
    .command("version")
    .description("Pin an endpoint to a version of the API. Later deliveries have the shape of that version.")
    .argument("<id>", idHelp, reading(readWholeNumber))
    .addArgument(new Argument("<version>", "the version of the events").choices(versionDates))
    .option("--json", "print JSON")
    .action((id: number, version: string, options: { json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const secrets = await openSecretBox(config);
        const context = { secrets, allowPrivate: config.webhookAllowPrivate, now: now() };
        const endpoint = await updateEndpoint(query, id, "operator", { version }, context);
        printResult(
          options.json,
          { id, version: endpoint.version },
          `Endpoint ${id} gets events in the shape of version ${endpoint.version}.`,
        );
      }),
    );
}

function disableCommand(webhooks: Command): void {
  webhooks
    .command("disable")
    .description("Stop deliveries to an endpoint. Events are then kept as skipped deliveries.")
    .argument("<id>", idHelp, reading(readWholeNumber))
    .option("--reason <text>", "the reason that its owner reads", "Disabled by the operator.")
    .option("--json", "print JSON")
    .action((id: number, options: { reason: string; json?: true }) =>
      withDatabase(async ({ query }) => {
        const endpoint = await disableEndpoint(query, id, "operator", { reason: options.reason, now: now() });
        printResult(
          options.json,
          {
            id,
            state: endpoint.state,
            disabled_at: wholeSecondsUtc(endpoint.disabledAt),
            reason: endpoint.disabledReason,
          },
          `Endpoint ${id} is disabled since ${wholeSecondsUtc(endpoint.disabledAt)}: ${endpoint.disabledReason}`,
        );
      }),
    );
}

function enableCommand(webhooks: Command): void {
  webhooks
    .command("enable")
    .description("Resume deliveries to an endpoint.")
    .argument("<id>", idHelp, reading(readWholeNumber))
    .option("--replay", "also send skipped deliveries")
    .option("--json", "print JSON")
    .action((id: number, options: { replay?: true; json?: true }) =>
      withDatabase(async ({ query }) => {
        const { endpoint, replayed } = await enableEndpoint(query, id, "operator", {
          replay: options.replay ?? false,
          now: now(),
        });
        const { skipped } = await countUndelivered(query, id);
        const skippedText =
          skipped > 0 ? ` ${skipped} deliveries remain skipped: webhooks replay ${id} --skipped.` : "";
        printResult(
          options.json,
          { id, state: endpoint.state, replayed },
          `Endpoint ${id} is enabled; ${replayed} skipped deliveries are queued.${skippedText}`,
        );
      }),
    );
}

function deleteCommand(webhooks: Command): void {
  webhooks
    .command("delete")
    .description("Delete an endpoint, its deliveries and their attempts.")
    .argument("<id>", idHelp, reading(readWholeNumber))
    .option("--json", "print JSON")
    .action((id: number, options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        await deleteEndpoint(query, id, "operator", now());
        printResult(options.json, { id, deleted: true }, `Endpoint ${id} is deleted.`);
      }),
    );
}

function rotateCommand(webhooks: Command): void {
  webhooks
    .command("rotate")
    .description("Replace an endpoint's secret. The old one also signs for a while.")
    .argument("<id>", idHelp, reading(readWholeNumber))
    .option("--overlap <duration>", "how long the old one also signs: 0 to 30d (default: 24h)", reading(parseDuration))
    .option("--force", "rotate even if the secret before the old one still signs; that secret then stops at once")
    .option("--json", "print JSON")
    .action((id: number, options: { overlap?: number; force?: true; json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const secrets = await openSecretBox(config);
        const overlapMs = options.overlap ?? defaultOverlapMs;
        const context = { secrets, now: now(), force: options.force === true };
        const { endpoint, secret } = await rotateSecret(query, id, "operator", overlapMs, context);
        const until = wholeSecondsUtc(endpoint.previousSecretUntil);
        printResult(
          options.json,
          { id, secret, previous_signs_until: until },
          `The new secret of endpoint ${id}; the old one ${until === null ? "no longer signs" : `also signs until ${until}`}.\n${secretText(secret, endpoint)}`,
        );
      }),
    );
}

const now = (): Date => new Date(systemClock.nowMs());

type Listed = Endpoint & { pending: number; failed: number; skipped: number };

function health({ state, failingSince }: Endpoint): string {
  if (state === "disabled") return "disabled";
  return failingSince === null ? "enabled" : "failing";
}

const listedJson = (endpoint: Listed) => ({
  id: endpoint.id,
  user_id: endpoint.userId,
  kind: endpoint.kind,
  url: endpoint.url,
  events: endpoint.eventTypes,
  description: endpoint.description,
  ordered: endpoint.isOrdered,
  version: endpoint.version,
  state: endpoint.state,
  disabled_at: wholeSecondsUtc(endpoint.disabledAt),
  disabled_reason: endpoint.disabledReason,
  failing_since: wholeSecondsUtc(endpoint.failingSince),
  last_error: endpoint.lastError,
  last_success_at: wholeSecondsUtc(endpoint.lastSuccessAt),
  pending: endpoint.pending,
  failed: endpoint.failed,
  skipped: endpoint.skipped,
  created_at: wholeSecondsUtc(endpoint.createdAt),
  created_by: endpoint.createdBy,
});

const typesText = ({ eventTypes: types }: Endpoint): string => (types === null ? "all events" : types.join(","));

const listText = (listed: readonly Listed[]): string =>
  tableText([
    ["ID", "USER", "STATE", "PENDING", "FAILED", "SKIPPED", "EVENTS", "URL", "LAST ERROR"],
    ...listed.map((endpoint) => [
      String(endpoint.id),
      String(endpoint.userId),
      health(endpoint),
      String(endpoint.pending),
      String(endpoint.failed),
      String(endpoint.skipped),
      typesText(endpoint),
      endpoint.kind === "inbox" ? "(inbox)" : endpoint.url,
      health(endpoint) === "enabled" ? "" : (endpoint.disabledReason ?? endpoint.lastError ?? ""),
    ]),
  ]);
