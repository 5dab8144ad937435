import { systemClock } from "@beatmarket/foundation/clock.ts";
import { readNetworks } from "@beatmarket/http/admission/allowed-networks.ts";
import { Argument, type Command, Option } from "commander";
import { type PlanName, planNames } from "../access/plans.ts";
import { type Permission, parsePermissions, permissions } from "../access/roles.ts";
import { versionDates } from "../access/versions.ts";
import type { Config } from "../config.ts";
import {
  type ApiKey,
  changePlan,
  createKey,
  defaultOverlapMs,
  type IssuedKey,
  isExpired,
  type KeyManager,
  type ListedKey,
  listKeys,
  revokeKey,
  rotateKey,
} from "../resources/api-keys/queries.ts";
import { checkSpendingCap, pinKey } from "../resources/api-keys/restrict-key.ts";
import { findOrCreateAccount, requireAccount } from "../resources/users/accounts.ts";
import { parseDuration, parseMoment, reading, readWholeNumber, versionOption } from "./terminal/arguments.ts";
import { tableText, wholeSecondsUtc } from "./terminal/output.ts";
import { curlLine, printResult, withDatabase } from "./terminal/run.ts";

const listBatchSize = 500;

/** `keys create`, `list`, `plan`, `version`, `revoke` and `rotate`: the operator manages the keys of all accounts. */
export function keysCommand(keys: Command): void {
  createCommand(keys);
  listCommand(keys);
  planCommand(keys);
  versionCommand(keys);
  revokeCommand(keys);
  rotateCommand(keys);
}

function createCommand(keys: Command): void {
  keys
    .command("create")
    .description("Create an API key, and the account if it does not exist. The key is shown only once.")
    .requiredOption("--email <address>", "the account's e-mail address")
    .addOption(new Option("--plan <plan>", "its rate limits").choices(planNames).default("standard"))
    .option("--permissions <list>", `comma-separated, of ${permissions.join(", ")} (default: all)`, reading(readList))
    .option("--name <name>", "what the key is for", "CLI key")
    .option("--expires <when>", "a duration such as 90d, a date, or a time (default: never)", reading(readExpiry))
    .option("--spending-cap <amount>", "what it may spend on orders in any 30 days (default: no cap)", reading(readCap))
    .option(
      "--allow <networks>",
      "comma-separated addresses and networks that may use it (default: all)",
      reading(readAllowed),
    )
    .addOption(versionOption("the version of the API that its calls get (default: its account's)"))
    .option("--json", "print JSON")
    .action(
      (options: {
        email: string;
        plan: PlanName;
        permissions?: Permission[];
        name: string;
        expires?: Date;
        spendingCap?: number;
        allow?: string[];
        apiVersion?: string;
        json?: true;
      }) =>
        withDatabase(async ({ query }, config) => {
          const account = await findOrCreateAccount(query, { email: options.email });
          const key = await createKey(
            query,
            {
              userId: account.id,
              name: options.name,
              plan: options.plan,
              permissions: options.permissions ?? permissions,
              expiresAt: options.expires ?? null,
              spendingCapCents: options.spendingCap,
              allowedNetworks: options.allow,
              version: options.apiVersion,
            },
            now(),
          );
          printResult(
            options.json,
            issuedJson(key),
            `API key ${key.id} of ${account.email} (user ${account.id}): plan ${key.plan}, ${permissionsText(key)}, ${expiryText(key)}.\n${issuedText(key, tryLine(config, key))}`,
          );
        }),
    );
}

function listCommand(keys: Command): void {
  keys
    .command("list")
    .description("List API keys, newest first.")
    .option("--email <address>", "only keys of this account")
    .option("--json", "print JSON")
    .action((options: { email?: string; json?: true }) =>
      withDatabase(async ({ query }) => {
        const account = options.email === undefined ? null : await requireAccount(query, options.email);
        const manager: KeyManager = account === null ? "operator" : { ownerId: account.id };
        const listedKeys: ListedKey[] = [];
        for (;;) {
          const batch = await listKeys(query, manager, { limit: listBatchSize, beforeId: listedKeys.at(-1)?.id });
          listedKeys.push(...batch);
          if (batch.length < listBatchSize) break;
        }
        printResult(
          options.json,
          listedKeys.map(listedJson),
          listedKeys.length === 0 ? "No API keys." : listText(listedKeys),
        );
      }),
    );
}

function planCommand(keys: Command): void {
  keys
    .command("plan")
    .description("Move a key to another plan. Its limits apply within a second.")
    .argument("<id>", "the key's id, as keys list shows it", reading(readWholeNumber))
    .addArgument(new Argument("<plan>", "its rate limits").choices(planNames))
    .option("--reason <sentence>", "why, for its owner and the audit log")
    .option("--json", "print JSON")
    .action((id: number, plan: PlanName, options: { reason?: string; json?: true }) =>
      withDatabase(async ({ query }) => {
        const key = await changePlan(query, id, plan, "operator", now(), options.reason);
        printResult(
          options.json,
          { id: key.id, plan: key.plan },
          `API key ${key.id} (${key.name}, …${key.endsWith}) is on plan ${key.plan}.`,
        );
      }),
    );
}

/** The argument of `keys version` that means the version of the account. */
const ofAccount = "account";

function versionCommand(keys: Command): void {
  keys
    .command("version")
    .description("Pin a key to a version of the API, or to its account's. The change applies within a second.")
    .argument("<id>", "the key's id, as keys list shows it", reading(readWholeNumber))
    .addArgument(new Argument("<version>", "the version of its calls").choices([...versionDates, ofAccount]))
    .option("--json", "print JSON")
    .action((id: number, version: string, options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        const key = await pinKey(query, id, version === ofAccount ? null : version, "operator", now());
        printResult(
          options.json,
          { id: key.id, version: key.version },
          `API key ${key.id} (${key.name}, …${key.endsWith}) gets ${key.version === null ? "the version of its account" : `version ${key.version}`}.`,
        );
      }),
    );
}

function revokeCommand(keys: Command): void {
  keys
    .command("revoke")
    .description("Revoke a key permanently. Every instance rejects it within a second.")
    .argument("<id>", "the key's id, as keys list shows it", reading(readWholeNumber))
    .option("--reason <sentence>", "why, for its owner and the audit log")
    .option("--json", "print JSON")
    .action((id: number, options: { reason?: string; json?: true }) =>
      withDatabase(async ({ query }) => {
        const key = await revokeKey(query, id, "operator", now(), options.reason);
        printResult(
          options.json,
          { id: key.id, revoked_at: wholeSecondsUtc(key.revokedAt) },
          `API key ${key.id} (${key.name}, …${key.endsWith}) is revoked since ${wholeSecondsUtc(key.revokedAt)}.`,
        );
      }),
    );
}

function rotateCommand(keys: Command): void {
  keys
    .command("rotate")
    .description("Replace a key by a new one with the same name, plan and permissions.")
    .argument("<id>", "the key's id, as keys list shows it", reading(readWholeNumber))
    .option("--overlap <duration>", "how long the old key still works: 0 to 30d (default: 24h)", reading(parseDuration))
    .option("--json", "print JSON")
    .action((id: number, options: { overlap?: number; json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const key = await rotateKey(query, id, "operator", options.overlap ?? defaultOverlapMs, now());
        printResult(
          options.json,
          { ...issuedJson(key), replaces: { id, expires_at: wholeSecondsUtc(key.replacedExpiresAt) } },
          `API key ${key.id} replaces key ${id}, which works until ${wholeSecondsUtc(key.replacedExpiresAt)}.\n${issuedText(key, tryLine(config, key))}`,
        );
      }),
    );
}

const now = (): Date => new Date(systemClock.nowMs());

const readList = (text: string): Permission[] => parsePermissions(text.split(",").map((name) => name.trim()));

const readAllowed = (text: string): string[] => readNetworks(text.split(","));

/** Parses an amount such as 50 or 49.90, and returns cents. */
function readCap(text: string): number {
  const cents = /^\d{1,9}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : Number.NaN;
  checkSpendingCap(cents);
  return cents;
}

const readExpiry = (text: string): Date => parseMoment(text, now());

const issuedJson = ({ key, id, userId }: IssuedKey) => ({ key, id, user_id: userId });

const listedJson = (key: ListedKey) => ({
  id: key.id,
  user_id: key.userId,
  email: key.email,
  name: key.name,
  ends_with: key.endsWith,
  plan: key.plan,
  permissions: key.permissions,
  state: state(key),
  created_at: wholeSecondsUtc(key.createdAt),
  expires_at: wholeSecondsUtc(key.expiresAt),
  revoked_at: wholeSecondsUtc(key.revokedAt),
  last_used_at: wholeSecondsUtc(key.lastUsedAt),
  spending_cap: key.spendingCapCents === null ? null : key.spendingCapCents / 100,
  allowed_networks: key.allowedNetworks,
  version: key.version,
  created_by: key.maker && { user_id: key.maker.userId, email: key.maker.email },
});

const issuedText = ({ key }: IssuedKey, tryIt: string): string =>
  `\n  ${key}\n\nKeep it now: only its fingerprint is stored, so it cannot be shown again. Try it:\n\n  ${tryIt}`;

const pathsToTry: readonly [Permission, string][] = [
  ["beats:read", "/beats?limit=1"],
  ["genres:read", "/genres"],
  ["producers:read", "/producers?limit=1"],
  ["search:read", "/search?q=love"],
  ["orders:read", "/orders"],
];

/** A curl line for a GET that the key's permissions allow; for GET /beats if they allow none of these. */
function tryLine(config: Config, { key, permissions: keyPermissions }: IssuedKey): string {
  const [, path] = pathsToTry.find(([permission]) => keyPermissions.includes(permission)) ?? [null, "/beats"];
  return curlLine(config, key, path);
}

const permissionsText = ({ permissions: keyPermissions }: ApiKey): string =>
  keyPermissions.length === permissions.length ? "all permissions" : keyPermissions.join(", ");

const expiryText = ({ expiresAt }: ApiKey): string =>
  expiresAt === null ? "never expires" : `expires ${wholeSecondsUtc(expiresAt)}`;

function state(key: ApiKey): "active" | "revoked" | "expired" {
  if (key.revokedAt !== null) return "revoked";
  return isExpired(key, now()) ? "expired" : "active";
}

function listText(keys: readonly ListedKey[]): string {
  const rows = [
    ["ID", "ACCOUNT", "NAME", "ENDS WITH", "PLAN", "STATE", "EXPIRES", "LAST USED", "MADE BY", "PERMISSIONS"],
    ...keys.map((key) => [
      String(key.id),
      key.email ?? `user ${key.userId}`,
      key.name,
      key.endsWith,
      key.plan,
      state(key),
      wholeSecondsUtc(key.expiresAt) ?? "never",
      wholeSecondsUtc(key.lastUsedAt) ?? "never",
      key.maker === null ? "operator" : (key.maker.email ?? `user ${key.maker.userId}`),
      key.permissions.length === permissions.length ? "all" : key.permissions.join(","),
    ]),
  ];
  return tableText(rows);
}
