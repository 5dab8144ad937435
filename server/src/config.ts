import { BlockList, isIP } from "node:net";
import { join, resolve } from "node:path";
import type { BackupSettings } from "@beatmarket/backup/backup-settings.ts";
import type { EngineAddress } from "@beatmarket/catalogue-opensearch/address.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import {
  type SamplerName,
  samplerNames,
  type TracingSettings,
} from "@beatmarket/foundation/tracing/tracing-settings.ts";
import { redisAddress } from "@beatmarket/http/rate-limit/redis-address.ts";
import { type PlaceSettings, placeOf, vaultPlace } from "@beatmarket/storage/places.ts";
import type { WitnessAddress } from "@beatmarket/transparency-log/witness.ts";
import { catalogueEngine, licenseLogWitnesses, type RequestLogSettings, readRequestLog } from "./config/engines.ts";
import {
  type InvoiceSettings,
  type PayoutSettings,
  readInvoiceSettings,
  readPayoutSettings,
} from "./config/invoices.ts";
import { type MailBrand, mailBrandOf, mailSender, readSite, type SiteSettings } from "./site-settings.ts";

/** All settings from the environment, read once at start-up. */
export interface Config extends PayoutSettings, InvoiceSettings, RequestLogSettings {
  port: number;
  host: string;
  /** The origin of absolute URLs in responses, without a trailing slash. */
  publicUrl: string;
  /** Absolute path. */
  dataDir: string;
  /** Undefined uses the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  /** The role that owns the schema of `databaseUrl`, for migrations. Undefined: the role of `databaseUrl` migrates. */
  databaseOwnerUrl: string | undefined;
  /**
   * The server for the databases of sandboxes; undefined: the embedded PostgreSQL, or with `databaseUrl` no test mode.
   */
  sandboxDatabaseUrl: string | undefined;
  /** A streaming replica of `databaseUrl`, for reads of the catalogue. */
  databaseReplicaUrl: string | undefined;
  redisUrl: string | undefined;
  /** The OpenSearch cluster that finds beats; null: the index in the memory of each server. */
  catalogueEngine: EngineAddress | null;
  /** The storage of uploads and of the files made from them: a folder, by its absolute path, or a bucket. */
  storage: PlaceSettings;
  backup: BackupSettings;
  tls: { mode: "own" } | { mode: "given"; certFile: string; keyFile: string } | { mode: "off" };
  /** Addresses and CIDR ranges of proxies; null trusts the peer with `TLS=off`, and no one otherwise. */
  trustedProxies: readonly string[] | null;
  /** Whether an empty database gets a demo catalogue, account and key. */
  demo: boolean;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** Encrypts webhook secrets; undefined uses a generated key in `dataDir`. */
  secretKey: string | undefined;
  /** The key before `secretKey`. During a rotation it decrypts the secrets that were encrypted under it. */
  secretKeyPrevious: string | undefined;
  /** Allows webhooks to http, any port and private networks, for local development. */
  webhookAllowPrivate: boolean;
  /** Whether accounts may publish recordings that another account has published. */
  allowsDuplicates: boolean;
  /** Undefined writes mails to `dataDir`. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** The folder of the operator's own templates of mails (undefined: none), and the brand that all mails show. */
  mails: { templates: string | undefined; brand: MailBrand };
  site: SiteSettings;
  /** The requested payment provider. Undefined: Stripe if its key is set, otherwise the sandbox. */
  payments: "sandbox" | "stripe" | undefined;
  /** Null uses the payment sandbox, which moves no money. */
  stripe: { secretKey: string; webhookSecret: string | undefined; apiBase: URL | undefined } | null;
  /** The absolute path of the operator's own terms of licenses. Undefined if the terms of this repository apply. */
  licenseTerms: string | undefined;
  /** The witnesses that cosign the license log's checkpoints. */
  licenseLogWitnesses: readonly WitnessAddress[];
  /** The currency of all prices: ISO 4217, with two decimals. */
  currency: string;
  /** The gigabytes that the files of an account of plan standard may occupy in the storage. */
  accountStorageGb: number;
  /** How long a server still accepts connections after a stop signal, while /readyz is 503. */
  stopDelaySeconds: number;
  /** How many threads answer HTTP; undefined: half of the machine's cores, or one thread with CATALOGUE_ENGINE. */
  threads: number | undefined;
  /** Bearer token for /metrics; undefined allows loopback only. */
  metricsToken: string | undefined;
  /** The port on which `worker` serves /metrics; undefined if it does not serve /metrics. */
  workerMetricsPort: number | undefined;
  /** Null: no traces. */
  tracing: TracingSettings | null;
}

/** Records one trace in ten (docs/observability.md, Traces). */
const defaultSampledRatio = 0.1;
const minSecretKeyLength = 32;
const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Reads the environment. Throws an OperatorError that names the variable and its valid values. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  const choice = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = text(name);
    if (value === undefined) return fallback;
    if (!allowed.includes(value as T))
      throw new OperatorError(`${name} is "${value}"; it takes one of ${allowed.join(", ")}.`);
    return value as T;
  };

  const port = portOf("PORT", text("PORT") ?? "8443");

  const certFile = text("TLS_CERT");
  const keyFile = text("TLS_KEY");
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new OperatorError(
      `${certFile === undefined ? "TLS_KEY is set without TLS_CERT" : "TLS_CERT is set without TLS_KEY"}; set both to PEM files, or neither.`,
    );
  const payments = text("PAYMENTS") === undefined ? undefined : choice("PAYMENTS", ["sandbox", "stripe"], "sandbox");
  if (payments === "stripe" && text("STRIPE_SECRET_KEY") === undefined)
    throw new OperatorError("PAYMENTS=stripe needs STRIPE_SECRET_KEY, a key such as sk_live_…; set both.");
  if (payments === "sandbox" && text("STRIPE_SECRET_KEY") !== undefined)
    throw new OperatorError("PAYMENTS=sandbox and STRIPE_SECRET_KEY exclude each other; leave one of them out.");
  const tlsOff = choice("TLS", ["on", "off"], "on") === "off";
  if (tlsOff && certFile !== undefined) throw new OperatorError("TLS=off and TLS_CERT exclude each other.");

  const dataDir = resolve(text("DATA_DIR") ?? ".data");
  const origin = publicUrl(text("PUBLIC_URL") ?? `https://localhost:${port}`);
  const isDemo = choice("DEMO", ["on", "off"], "on") === "on";
  const site = readSite({
    name: text("SITE_NAME") ?? "Beat Marketplace",
    color: text("SITE_COLOR"),
    logo: text("SITE_LOGO"),
    pages: text("SITE_PAGES"),
  });
  return {
    port,
    host: text("HOST") ?? "127.0.0.1",
    publicUrl: origin,
    dataDir,
    ...databaseUrls(text("DATABASE_URL"), text("DATABASE_OWNER_URL"), text("DATABASE_REPLICA_URL")),
    sandboxDatabaseUrl: sandboxDatabaseUrl(text("SANDBOX_DATABASE_URL")),
    redisUrl: redisUrl(text("REDIS_URL")),
    catalogueEngine: catalogueEngine(text("CATALOGUE_ENGINE")),
    storage: storage(text("STORAGE_URL"), dataDir),
    backup: backup({ vault: text("BACKUP_VAULT"), keepDays: text("BACKUP_KEEP_DAYS") ?? "7" }, env, dataDir),
    tls: tlsOff
      ? { mode: "off" }
      : certFile !== undefined && keyFile !== undefined
        ? { mode: "given", certFile, keyFile }
        : { mode: "own" },
    trustedProxies: trustedProxies(text("TRUSTED_PROXIES")),
    demo: isDemo,
    logLevel: choice("LOG_LEVEL", logLevels, "info"),
    ...secretKeys(text("SECRET_KEY"), text("SECRET_KEY_PREVIOUS")),
    webhookAllowPrivate: choice("WEBHOOK_ALLOW_PRIVATE", ["on", "off"], "off") === "on",
    allowsDuplicates: choice("DUPLICATE_RECORDINGS", ["refuse", "allow"], "refuse") === "allow",
    smtpUrl: smtpUrl(text("SMTP_URL")),
    mailFrom: text("MAIL_FROM") ?? mailSender(site),
    mails: {
      templates: text("MAIL_TEMPLATES") === undefined ? undefined : resolve(text("MAIL_TEMPLATES") ?? ""),
      brand: mailBrandOf(site, {
        origin,
        logoUrl: logoUrl(text("SITE_LOGO_URL")),
        footer: text("MAIL_FOOTER") ?? null,
      }),
    },
    site,
    payments,
    stripe: stripe({
      secretKey: text("STRIPE_SECRET_KEY"),
      webhookSecret: text("STRIPE_WEBHOOK_SECRET"),
      apiBase: text("STRIPE_API_BASE"),
    }),
    licenseTerms: text("LICENSE_TERMS") === undefined ? undefined : resolve(text("LICENSE_TERMS") ?? ""),
    licenseLogWitnesses: licenseLogWitnesses(text("LICENSE_LOG_WITNESSES")),
    currency: currency(text("CURRENCY") ?? "USD"),
    ...readPayoutSettings(text),
    ...readInvoiceSettings(text, { site: site.name, origin, isDemo }),
    ...readRequestLog(text),
    accountStorageGb: accountStorageGb(text("ACCOUNT_STORAGE_GB") ?? "50"),
    stopDelaySeconds: stopDelaySeconds(text("STOP_DELAY") ?? "0"),
    threads: threadCount("THREADS", text("THREADS")),
    metricsToken: text("METRICS_TOKEN"),
    workerMetricsPort:
      text("WORKER_METRICS_PORT") === undefined
        ? undefined
        : portOf("WORKER_METRICS_PORT", text("WORKER_METRICS_PORT") ?? ""),
    tracing: tracing({
      endpoint: text("OTEL_EXPORTER_OTLP_ENDPOINT"),
      headers: text("OTEL_EXPORTER_OTLP_HEADERS"),
      serviceName: text("OTEL_SERVICE_NAME") ?? "beatmarket",
      sampler: choice("OTEL_TRACES_SAMPLER", samplerNames, "parentbased_traceidratio"),
      ratio: text("OTEL_TRACES_SAMPLER_ARG") ?? String(defaultSampledRatio),
    }),
  };
}

function portOf(name: string, value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65535)
    throw new OperatorError(`${name} is "${value}"; it takes a number from 0 to 65535.`);
  return port;
}

/**
 * Checks the settings that only a server needs. Refuses several threads with CATALOGUE_ENGINE. With a public address,
 * refuses the demo, and accepts the payment sandbox only if it was requested. Throws an OperatorError that names the
 * settings.
 */
export function requireServable({ host, publicUrl, demo, payments, stripe, threads, catalogueEngine }: Config): void {
  if ((threads ?? 1) > 1 && catalogueEngine !== null)
    throw new OperatorError(
      "Several threads share the index in memory, which CATALOGUE_ENGINE replaces. Leave out --threads and THREADS, and run more instances instead.",
    );
  const address = publicSetting({ host, publicUrl });
  if (address === null) return;
  if (demo)
    throw new OperatorError(
      `${address}, which is public, and in demo mode an account is open to everyone; set DEMO=off, or a local address such as https://localhost.`,
    );
  if (stripe === null && payments === undefined)
    throw new OperatorError(
      `${address}, which is public, and nothing charges orders; set STRIPE_SECRET_KEY, or PAYMENTS=sandbox to complete orders without any money.`,
    );
}

/** The setting that makes a server public, in words. Null: only this machine or a private network can reach it. */
export function publicSetting({ host, publicUrl }: Pick<Config, "host" | "publicUrl">): string | null {
  if (!isLocal(new URL(publicUrl).hostname)) return `PUBLIC_URL is ${publicUrl}`;
  return isLocal(host) ? null : `HOST is ${host}`;
}

/** Names that no public DNS has (RFC 6761, 6762, 8375 and ICANN). A name without a dot belongs to this network. */
const localName = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home\.arpa|test|invalid)$|^[^.]+$/i;
/** This machine, all of its addresses, and private networks (RFC 1918, 3927, 4193, 6598). */
const localNetworks = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 32],
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
  ["100.64.0.0", 10],
] as const)
  localNetworks.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  localNetworks.addSubnet(network, bits, "ipv6");

/**
 * Whether only this machine or a private network can reach a host: the host of a URL, or an address to listen on.
 */
function isLocal(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/s, "$1").replace(/%.*$/s, "");
  const family = isIP(name);
  return family === 0 ? localName.test(name) : localNetworks.check(name, family === 6 ? "ipv6" : "ipv4");
}

function publicUrl(value: string): string {
  const url = URL.parse(value);
  const isOrigin = url !== null && url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  if (!isOrigin || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new OperatorError(`PUBLIC_URL is "${value}"; it takes an origin such as https://api.example.com.`);
  return url.origin;
}

function databaseUrls(
  databaseUrl: string | undefined,
  databaseOwnerUrl: string | undefined,
  databaseReplicaUrl: string | undefined,
): Pick<Config, "databaseUrl" | "databaseOwnerUrl" | "databaseReplicaUrl"> {
  const isPostgresUrl = (value: string | undefined) => value === undefined || /^postgres(ql)?:\/\//.test(value);
  // The messages omit the URLs, which may contain passwords.
  if (!isPostgresUrl(databaseUrl))
    throw new OperatorError("DATABASE_URL takes a URL such as postgres://user:password@host:5432/database.");
  if (!isPostgresUrl(databaseOwnerUrl))
    throw new OperatorError(
      "DATABASE_OWNER_URL takes a URL such as postgres://owner:password@host:5432/database, of the same database as DATABASE_URL.",
    );
  if (databaseOwnerUrl !== undefined && databaseUrl === undefined)
    throw new OperatorError(
      "DATABASE_OWNER_URL is set without DATABASE_URL, and the embedded database has roles of its own; set both, or neither.",
    );
  if (!isPostgresUrl(databaseReplicaUrl) || (databaseReplicaUrl !== undefined && !URL.canParse(databaseReplicaUrl)))
    throw new OperatorError(
      "DATABASE_REPLICA_URL takes a URL such as postgres://user:password@replica:5432/database, with special characters of user and password percent-encoded.",
    );
  // With several hosts, connections could reach replicas with different lag.
  if (databaseReplicaUrl !== undefined && new URL(databaseReplicaUrl).host.includes(","))
    throw new OperatorError("DATABASE_REPLICA_URL takes one server; give other instances the other replicas.");
  if (databaseReplicaUrl !== undefined && databaseUrl === undefined)
    throw new OperatorError(
      "DATABASE_REPLICA_URL is set without DATABASE_URL, and the embedded database has no replica; set both, or neither.",
    );
  return { databaseUrl, databaseOwnerUrl, databaseReplicaUrl };
}

function sandboxDatabaseUrl(value: string | undefined): string | undefined {
  // The message omits the URL, which may contain a password.
  if (value !== undefined && !(/^postgres(ql)?:\/\//.test(value) && URL.canParse(value)))
    throw new OperatorError(
      "SANDBOX_DATABASE_URL takes a URL such as postgres://user:password@host:5432/postgres, of a role that may create databases (CREATEDB).",
    );
  return value;
}

function trustedProxies(value: string | undefined): readonly string[] | null {
  if (value === undefined) return null;
  const addresses = value.split(",").map((each) => each.trim());
  for (const each of addresses) {
    const [, address = "", bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(each) ?? [];
    const version = isIP(address);
    if (version === 0 || Number(bits ?? 0) > (version === 4 ? 32 : 128))
      throw new OperatorError(
        `TRUSTED_PROXIES contains "${each}"; it takes addresses and ranges separated by commas, such as 10.0.0.0/8, 2001:db8::7.`,
      );
  }
  return addresses;
}

function secretKeys(
  secretKey: string | undefined,
  secretKeyPrevious: string | undefined,
): Pick<Config, "secretKey" | "secretKeyPrevious"> {
  requireKeys("SECRET_KEY", secretKey, secretKeyPrevious);
  return { secretKey, secretKeyPrevious };
}

/** Checks a key and the previous one, which is in `${name}_PREVIOUS`. Throws an OperatorError that shows neither. */
function requireKeys(name: "SECRET_KEY" | "BACKUP_KEY", key: string | undefined, previous: string | undefined): void {
  const previousName = `${name}_PREVIOUS`;
  for (const [which, value] of [
    [name, key],
    [previousName, previous],
  ])
    if (value !== undefined && value.length < minSecretKeyLength)
      throw new OperatorError(
        `${which} has ${value.length} characters; it takes at least ${minSecretKeyLength} random ones, such as those of: openssl rand -base64 32.`,
      );
  if (key === undefined && previous !== undefined)
    throw new OperatorError(`${previousName} is set without ${name}; set both, or neither.`);
  if (key !== undefined && key === previous)
    throw new OperatorError(`${previousName} is the same as ${name}; remove it, or make ${name} a new one.`);
}

function redisUrl(value: string | undefined): string | undefined {
  // The message omits the URL, which may contain a password.
  if (value !== undefined && redisAddress(value) === null)
    throw new OperatorError(
      "REDIS_URL takes a URL such as redis://:password@cache.example.com:6379, redis+cluster://one:6379,two:6379 or redis+sentinel://one:26379,two:26379/mymaster.",
    );
  return value;
}

function storage(value: string | undefined, dataDir: string): Config["storage"] {
  if (value === undefined) return { folder: join(dataDir, "objects"), isNamed: false };
  return placeOf("STORAGE_URL", value);
}

function backup(
  { vault, keepDays }: { vault: string | undefined; keepDays: string },
  env: NodeJS.ProcessEnv,
  dataDir: string,
): BackupSettings {
  const [key, keyPrevious] = ["BACKUP_KEY", "BACKUP_KEY_PREVIOUS"].map((name) => {
    const value = env[name]?.trim();
    // An empty key comes from a missing key file. Without this check, the vault would be unencrypted, unnoticed.
    if (value === "")
      throw new OperatorError(
        `${name} is set but empty. If it is read from a file, check that the file exists. To run without ${name}, unset it.`,
      );
    return value;
  });
  requireKeys("BACKUP_KEY", key, keyPrevious);
  if (!/^[1-9]\d{0,3}$/.test(keepDays))
    throw new OperatorError(`BACKUP_KEEP_DAYS is "${keepDays}"; it takes days, a whole number from 1 to 9999.`);
  const place = vault === undefined ? null : vaultPlace("BACKUP_VAULT", vault, dataDir);
  return { vault: place, key, keyPrevious, keepDays: Number(keepDays) };
}

function logoUrl(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (!URL.canParse(value) || new URL(value).protocol !== "https:")
    throw new OperatorError(
      "SITE_LOGO_URL takes the https address of a picture, such as https://example.com/logo.png.",
    );
  return value;
}

function smtpUrl(value: string | undefined): string | undefined {
  // The message omits the URL, which contains a password.
  if (value !== undefined && !/^smtps?:\/\/[^/]+/.test(value))
    throw new OperatorError("SMTP_URL takes a URL such as smtps://user:password@mail.example.com:465.");
  return value;
}

function stripe(settings: Record<"secretKey" | "webhookSecret" | "apiBase", string | undefined>): Config["stripe"] {
  const { secretKey, webhookSecret, apiBase } = settings;
  if (secretKey === undefined) {
    if (webhookSecret !== undefined || apiBase !== undefined)
      throw new OperatorError(
        `${webhookSecret !== undefined ? "STRIPE_WEBHOOK_SECRET" : "STRIPE_API_BASE"} is set without STRIPE_SECRET_KEY, so payments would stay in the sandbox; set both, or neither.`,
      );
    return null;
  }
  // The messages omit the values, which are secrets.
  if (!/^[sr]k_\w+$/.test(secretKey)) throw new OperatorError("STRIPE_SECRET_KEY takes a key such as sk_live_…");
  if (webhookSecret !== undefined && !/^whsec_\S+$/.test(webhookSecret))
    throw new OperatorError("STRIPE_WEBHOOK_SECRET takes a secret such as whsec_…");
  const base = apiBase === undefined ? undefined : URL.parse(apiBase);
  const isSafe =
    base?.protocol === "https:" ||
    /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])$/.test(`${base?.protocol}//${base?.hostname}`);
  if (base === null || (base !== undefined && !isSafe))
    throw new OperatorError(
      `STRIPE_API_BASE is "${apiBase}"; it takes an https address, or an http one of this machine.`,
    );
  return { secretKey, webhookSecret, apiBase: base };
}

function currency(value: string): string {
  const isKnown = Intl.supportedValuesOf("currency").includes(value);
  const { maximumFractionDigits } = isKnown
    ? new Intl.NumberFormat("en", { style: "currency", currency: value }).resolvedOptions()
    : {};
  if (maximumFractionDigits !== 2)
    throw new OperatorError(`CURRENCY is "${value}"; it takes an ISO 4217 code of a currency with cents, such as USD.`);
  return value;
}

const maxThreads = 64;

/** `name` is the name of the setting or of the option. */
export function threadCount(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const count = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (count < 1 || count > maxThreads)
    throw new OperatorError(
      `${name} is "${value}"; it takes the number of threads that answer HTTP, from 1 to ${maxThreads}.`,
    );
  return count;
}

function stopDelaySeconds(value: string): number {
  if (!/^\d{1,2}$/.test(value) || Number(value) > 60)
    throw new OperatorError(`STOP_DELAY is "${value}"; it takes seconds, a whole number from 0 to 60.`);
  return Number(value);
}

function accountStorageGb(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value))
    throw new OperatorError(`ACCOUNT_STORAGE_GB is "${value}"; it takes gigabytes, a whole number from 1 to 999999.`);
  return Number(value);
}

function tracing(settings: {
  endpoint: string | undefined;
  headers: string | undefined;
  serviceName: string;
  sampler: SamplerName;
  ratio: string;
}): TracingSettings | null {
  if (settings.endpoint === undefined) return null;
  const endpoint = URL.parse(settings.endpoint);
  if (endpoint === null || !/^https?:$/.test(endpoint.protocol) || endpoint.search !== "" || endpoint.username !== "")
    throw new OperatorError(
      "OTEL_EXPORTER_OTLP_ENDPOINT takes the address of a collector such as http://localhost:4318.",
    );
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(settings.ratio))
    throw new OperatorError(`OTEL_TRACES_SAMPLER_ARG is "${settings.ratio}"; it takes a share of traces from 0 to 1.`);
  return {
    tracesUrl: `${endpoint.href.replace(/\/$/, "")}/v1/traces`,
    headers: tracingHeaders(settings.headers),
    serviceName: settings.serviceName,
    sampler: settings.sampler,
    ratio: Number(settings.ratio),
  };
}

/**
 * Reads `name=value,name=value` with percent-encoded values. The message omits the values, because one may be a token.
 */
function tracingHeaders(value: string | undefined): Record<string, string> {
  if (value === undefined) return {};
  const pairs = value.split(",").map((pair) => /^([\w!#$&'*+.^`|~-]+)=([!-~ ]*)$/.exec(pair.trim()));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        if (pair === null) throw new URIError("no pair");
        return [pair[1] ?? "", decodeURIComponent(pair[2] ?? "").trim()];
      }),
    );
  } catch {
    throw new OperatorError(
      "OTEL_EXPORTER_OTLP_HEADERS takes headers such as authorization=Bearer%20token,x-tenant=beats, with values percent-encoded.",
    );
  }
}
