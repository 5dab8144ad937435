import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { describe, expect, test } from "vitest";
import { readConfig, requireServable } from "../../src/config.ts";

const stripe = { STRIPE_SECRET_KEY: "sk_test_1" };

test("an empty environment runs a demo that only this machine can reach", () => {
  expect(readConfig({})).toEqual({
    port: 8443,
    host: "127.0.0.1",
    publicUrl: "https://localhost:8443",
    dataDir: join(process.cwd(), ".data"),
    databaseUrl: undefined,
    databaseOwnerUrl: undefined,
    databaseReplicaUrl: undefined,
    redisUrl: undefined,
    catalogueEngine: null,
    storage: { folder: join(process.cwd(), ".data/objects"), isNamed: false },
    tls: { mode: "own" },
    trustedProxies: null,
    demo: true,
    logLevel: "info",
    secretKey: undefined,
    secretKeyPrevious: undefined,
    webhookAllowPrivate: false,
    allowsDuplicates: false,
    smtpUrl: undefined,
    mailFrom: "Beat Marketplace <no-reply@beatmarket.example>",
    mails: {
      templates: undefined,
      brand: {
        site: "Beat Marketplace",
        logoUrl: null,
        footer: null,
        links: [
          { slug: "terms", name: "Terms", url: "https://localhost:8443/terms" },
          { slug: "privacy", name: "Privacy", url: "https://localhost:8443/privacy" },
          { slug: "contact", name: "Contact", url: "https://localhost:8443/contact" },
        ],
      },
    },
    // An invented seller, so that a demo shows invoices.
    seller: {
      name: "Beat Marketplace (demo)",
      address: ["Example Street 1", "10115 Berlin"],
      country: "DE",
      vatId: null,
      taxNumber: "00/000/00000 (demo)",
      host: "localhost",
    },
    site: { name: "Beat Marketplace", color: null, logo: undefined, pages: undefined },
    payments: undefined,
    sandboxDatabaseUrl: undefined,
    stripe: null,
    licenseTerms: undefined,
    licenseLogWitnesses: [],
    currency: "USD",
    commissionBasisPoints: 0,
    payoutClearingDays: 7,
    payoutDebtor: null,
    requestLogMaxMb: 10_000,
    requestLogEngine: undefined,
    accountStorageGb: 50,
    stopDelaySeconds: 0,
    metricsToken: undefined,
    workerMetricsPort: undefined,
    tracing: null,
    backup: { vault: null, key: undefined, keyPrevious: undefined, keepDays: 7 },
  });
});

test("OpenTelemetry's standard variable of a collector switches tracing on", () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318/" };
  expect(readConfig(collector).tracing).toEqual({
    tracesUrl: "http://localhost:4318/v1/traces",
    headers: {},
    serviceName: "beatmarket",
    sampler: "parentbased_traceidratio",
    ratio: 0.1,
  });
  const settings = {
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20token, x-tenant=beats",
    OTEL_SERVICE_NAME: "api",
    OTEL_TRACES_SAMPLER: "always_on",
    OTEL_TRACES_SAMPLER_ARG: "1.0",
  };
  expect(readConfig({ ...collector, ...settings }).tracing).toMatchObject({
    headers: { authorization: "Bearer token", "x-tenant": "beats" },
    serviceName: "api",
    sampler: "always_on",
    ratio: 1,
  });
  for (const invalidSettings of [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318" },
    { ...collector, OTEL_EXPORTER_OTLP_HEADERS: "authorization" },
    { ...collector, OTEL_EXPORTER_OTLP_HEADERS: "authorization=%zz" },
    { ...collector, OTEL_TRACES_SAMPLER: "sometimes" },
    { ...collector, OTEL_TRACES_SAMPLER_ARG: "2" },
  ])
    expect(() => readConfig(invalidSettings)).toThrow(new RegExp(Object.keys(invalidSettings).at(-1) ?? ""));
});

test("an empty or blank variable counts as not set, except a backup key", () => {
  const names = ["PORT", "HOST", "PUBLIC_URL", "DATA_DIR", "DATABASE_URL", "REDIS_URL", "TLS_CERT", "TLS_KEY", "TLS"];
  const otherVariables = [
    "DEMO",
    "PAYMENTS",
    "LOG_LEVEL",
    "CURRENCY",
    "LICENSE_TERMS",
    "LICENSE_LOG_WITNESSES",
    "METRICS_TOKEN",
    "WORKER_METRICS_PORT",
    "REQUEST_LOG_MAX_MB",
    "REQUEST_LOG_URL",
    "ACCOUNT_STORAGE_GB",
    "SECRET_KEY",
    "SECRET_KEY_PREVIOUS",
    "STOP_DELAY",
    "THREADS",
    "WEBHOOK_ALLOW_PRIVATE",
    "BACKUP_VAULT",
    "BACKUP_KEEP_DAYS",
  ];
  const furtherVariables = [
    "DATABASE_OWNER_URL",
    "DATABASE_REPLICA_URL",
    "SANDBOX_DATABASE_URL",
    "CATALOGUE_ENGINE",
    "STORAGE_URL",
    "TRUSTED_PROXIES",
    "SMTP_URL",
    "MAIL_FROM",
    "MAIL_TEMPLATES",
    "MAIL_FOOTER",
    "SITE_NAME",
    "SITE_COLOR",
    "SITE_LOGO",
    "SITE_PAGES",
    "SITE_LOGO_URL",
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
    "STRIPE_API_BASE",
  ];
  const blank = Object.fromEntries([...names, ...otherVariables, ...furtherVariables].map((name) => [name, " "]));
  expect(readConfig(blank)).toEqual(readConfig({}));
});

describe("an accepted value", () => {
  test.each([
    [{ PORT: "8080" }, { port: 8080, publicUrl: "https://localhost:8080" }],
    [{ PORT: "443" }, { port: 443, publicUrl: "https://localhost" }],
    [{ PORT: "0" }, { port: 0 }],
    [
      { CATALOGUE_ENGINE: "opensearch://one:9200,two" },
      { catalogueEngine: { nodes: ["http://one:9200", "http://two:9200"], prefix: "beatmarket" } },
    ],
    [
      { CATALOGUE_ENGINE: "opensearch+tls://user:secret@one:9243/shop" },
      { catalogueEngine: { nodes: ["https://user:secret@one:9243"], prefix: "shop" } },
    ],
    [{ PORT: "65535" }, { port: 65535 }],
    [{ HOST: "0.0.0.0" }, { host: "0.0.0.0" }],
    [{ PUBLIC_URL: "https://api.example.com" }, { publicUrl: "https://api.example.com" }],
    [{ PUBLIC_URL: "https://api.example.com/" }, { publicUrl: "https://api.example.com" }],
    [{ PUBLIC_URL: "http://localhost:8080" }, { publicUrl: "http://localhost:8080" }],
    [{ DATA_DIR: "/var/lib/beats" }, { dataDir: "/var/lib/beats" }],
    [{ DATA_DIR: "beats" }, { dataDir: join(process.cwd(), "beats") }],
    [{ DATABASE_URL: "postgres://user@host/beats" }, { databaseUrl: "postgres://user@host/beats" }],
    [{ DATABASE_URL: "postgresql://user@host/beats" }, { databaseUrl: "postgresql://user@host/beats" }],
    [
      { DATABASE_URL: "postgres://service@host/beats", DATABASE_OWNER_URL: "postgres://owner@host/beats" },
      { databaseUrl: "postgres://service@host/beats", databaseOwnerUrl: "postgres://owner@host/beats" },
    ],
    [
      { SANDBOX_DATABASE_URL: "postgres://maker@host/postgres" },
      { sandboxDatabaseUrl: "postgres://maker@host/postgres" },
    ],
    [
      { DATABASE_URL: "postgres://primary/beats", DATABASE_REPLICA_URL: "postgres://replica/beats" },
      { databaseUrl: "postgres://primary/beats", databaseReplicaUrl: "postgres://replica/beats" },
    ],
    ...[
      "redis://cache:6379",
      "valkeys://user:p%40ss@[::1]/3",
      "redis+cluster://:secret@one:7000,two,three:7002",
      "rediss+sentinel://one:26379,two/mymaster/2?sentinel_password=secret",
    ].map((url): [NodeJS.ProcessEnv, object] => [{ REDIS_URL: url }, { redisUrl: url }]),
    [{ DATA_DIR: "/srv/b" }, { storage: { folder: "/srv/b/objects", isNamed: false } }],
    [{ STORAGE_URL: "file:///srv/my%20beats" }, { storage: { folder: "/srv/my beats", isNamed: true } }],
    [
      { STORAGE_URL: "s3://beats" },
      { storage: { bucket: "beats", prefix: "", endpoint: undefined, region: undefined, pathStyle: false } },
    ],
    [
      { STORAGE_URL: "s3://my.beats/a/b/?endpoint=http://127.0.0.1:9000&region=eu-central-1&path_style=true" },
      {
        storage: {
          bucket: "my.beats",
          prefix: "a/b/",
          endpoint: "http://127.0.0.1:9000",
          region: "eu-central-1",
          pathStyle: true,
        },
      },
    ],
    [{ TLS_CERT: "a.pem", TLS_KEY: "b.pem" }, { tls: { mode: "given", certFile: "a.pem", keyFile: "b.pem" } }],
    [{ TLS: "off" }, { tls: { mode: "off" } }],
    [{ TLS: "on" }, { tls: { mode: "own" } }],
    [
      { TRUSTED_PROXIES: "10.0.0.0/8, 192.0.2.7 ,2001:db8::/32" },
      { trustedProxies: ["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"] },
    ],
    [{ DEMO: "off" }, { demo: false }],
    [{ PAYMENTS: "sandbox" }, { payments: "sandbox", stripe: null }],
    [{ PAYMENTS: "stripe", ...stripe }, { payments: "stripe" }],
    [{ DEMO: "on" }, { demo: true }],
    ...["fatal", "error", "warn", "info", "debug", "trace", "silent"].map((level): [object, object] => [
      { LOG_LEVEL: level },
      { logLevel: level },
    ]),
    [
      { STRIPE_SECRET_KEY: "sk_test_1" },
      { stripe: { secretKey: "sk_test_1", webhookSecret: undefined, apiBase: undefined } },
    ],
    [
      { STRIPE_SECRET_KEY: "rk_live_1", STRIPE_WEBHOOK_SECRET: "whsec_1", STRIPE_API_BASE: "http://127.0.0.1:1" },
      { stripe: { secretKey: "rk_live_1", webhookSecret: "whsec_1", apiBase: new URL("http://127.0.0.1:1") } },
    ],
    [{ CURRENCY: "EUR" }, { currency: "EUR" }],
    [{ LICENSE_TERMS: "/srv/terms" }, { licenseTerms: "/srv/terms" }],
    [{ LICENSE_TERMS: "terms" }, { licenseTerms: join(process.cwd(), "terms") }],
    [{ METRICS_TOKEN: "s3cret" }, { metricsToken: "s3cret" }],
    [{ WORKER_METRICS_PORT: "9464" }, { workerMetricsPort: 9464 }],
    [{ REQUEST_LOG_MAX_MB: "500" }, { requestLogMaxMb: 500 }],
    [{ ACCOUNT_STORAGE_GB: "200" }, { accountStorageGb: 200 }],
    [{ STOP_DELAY: "10" }, { stopDelaySeconds: 10 }],
    [{}, { threads: undefined }],
    [{ THREADS: "4" }, { threads: 4 }],
    [{ SECRET_KEY: "k".repeat(32) }, { secretKey: "k".repeat(32) }],
    [
      {
        BACKUP_VAULT: "/mnt/backups",
        BACKUP_KEY: "n".repeat(32),
        BACKUP_KEY_PREVIOUS: "o".repeat(32),
        BACKUP_KEEP_DAYS: "9999",
      },
      {
        backup: {
          vault: { folder: "/mnt/backups", isNamed: true },
          key: "n".repeat(32),
          keyPrevious: "o".repeat(32),
          keepDays: 9_999,
        },
      },
    ],
    [
      { SECRET_KEY: "n".repeat(32), SECRET_KEY_PREVIOUS: "o".repeat(32) },
      { secretKey: "n".repeat(32), secretKeyPrevious: "o".repeat(32) },
    ],
    [{ WEBHOOK_ALLOW_PRIVATE: "on" }, { webhookAllowPrivate: true }],
    [{ WEBHOOK_ALLOW_PRIVATE: "off" }, { webhookAllowPrivate: false }],
    [{ SMTP_URL: "smtps://user:password@mail.example.com" }, { smtpUrl: "smtps://user:password@mail.example.com" }],
    [{ SMTP_URL: "smtp://localhost:1025" }, { smtpUrl: "smtp://localhost:1025" }],
    [{ MAIL_FROM: "beats@example.com" }, { mailFrom: "beats@example.com" }],
    [
      {
        SITE_NAME: "Beats",
        SITE_LOGO_URL: "https://example.com/l.png",
        MAIL_FOOTER: "Acme Ltd",
        MAIL_TEMPLATES: "/mails",
      },
      {
        mails: {
          templates: "/mails",
          brand: { site: "Beats", logoUrl: "https://example.com/l.png", footer: "Acme Ltd" },
        },
        mailFrom: "Beats <no-reply@beatmarket.example>",
      },
    ],
    [{ SITE_NAME: 'Ac"me, Ltd' }, { mailFrom: '"Ac\\"me, Ltd" <no-reply@beatmarket.example>' }],
    [
      { SITE_COLOR: "#1A7F64", SITE_LOGO: "/srv/logo.png", SITE_PAGES: "/srv/pages" },
      {
        site: { name: "Beat Marketplace", color: "#1a7f64", logo: "/srv/logo.png", pages: "/srv/pages" },
        mails: { brand: { logoUrl: "https://localhost:8443/site/logo" } },
      },
    ],
    // Mail programs do not show SVG.
    [{ SITE_LOGO: "/srv/logo.svg" }, { site: { logo: "/srv/logo.svg" }, mails: { brand: { logoUrl: null } } }],
    [
      { PUBLIC_URL: "https://beats.example.com" },
      { mails: { brand: { links: [{ name: "Terms", url: "https://beats.example.com/terms" }, {}, {}] } } },
    ],
  ])("%o", (env, expected) => {
    expect(readConfig(env as NodeJS.ProcessEnv)).toMatchObject(expected);
  });
});

describe("a refused value gets a sentence that names the variable and the accepted values", () => {
  test.each([
    [{ PORT: "https" }, 'PORT is "https"; it takes a number from 0 to 65535.'],
    [{ PORT: "65536" }, 'PORT is "65536"; it takes a number from 0 to 65535.'],
    [{ PORT: "-1" }, 'PORT is "-1"; it takes a number from 0 to 65535.'],
    [{ PORT: "8443.5" }, 'PORT is "8443.5"; it takes a number from 0 to 65535.'],
    [{ PUBLIC_URL: "api.example.com" }, 'PUBLIC_URL is "api.example.com"; it takes an origin such as'],
    [{ PUBLIC_URL: "https://a.example/v1" }, 'PUBLIC_URL is "https://a.example/v1"; it takes an origin such as'],
    [{ PUBLIC_URL: "https://a.example?b" }, "it takes an origin"],
    [{ PUBLIC_URL: "https://a.example#b" }, "it takes an origin"],
    [{ PUBLIC_URL: "https://u:p@a.example" }, "it takes an origin"],
    [{ PUBLIC_URL: "ftp://a.example" }, "it takes an origin"],
    ...["10.0.0.0/33", "2001:db8::/129", "proxy.example", "10.0.0.1,", "10.0.0.0/8/8", "10.0.0.0/-1", "10.0.0/8"].map(
      (value): [object, string] => [{ TRUSTED_PROXIES: value }, "TRUSTED_PROXIES contains"],
    ),
    [{ DATABASE_URL: "mysql://host/beats" }, "DATABASE_URL takes a URL such as postgres://"],
    [{ DATABASE_OWNER_URL: "postgres://owner@host/beats" }, "DATABASE_OWNER_URL is set without DATABASE_URL"],
    [
      { DATABASE_URL: "postgres://primary/beats", DATABASE_OWNER_URL: "owner:5432" },
      "DATABASE_OWNER_URL takes a URL such as postgres://",
    ],
    [{ SANDBOX_DATABASE_URL: "host/postgres" }, "SANDBOX_DATABASE_URL takes a URL such as postgres://"],
    [{ DATABASE_REPLICA_URL: "postgres://replica/beats" }, "DATABASE_REPLICA_URL is set without DATABASE_URL"],
    [
      { DATABASE_URL: "postgres://primary/beats", DATABASE_REPLICA_URL: "replica:5432" },
      "DATABASE_REPLICA_URL takes a URL such as postgres://",
    ],
    [
      { DATABASE_URL: "postgres://primary/beats", DATABASE_REPLICA_URL: "postgres://one,two/beats" },
      "DATABASE_REPLICA_URL takes one server",
    ],
    ...["on", "http://one:9200", "opensearch://", "opensearch://one:port", "opensearch://one:9200/Shop"].map(
      (value): [object, string] => [
        { CATALOGUE_ENGINE: value },
        "CATALOGUE_ENGINE takes the nodes of an OpenSearch cluster",
      ],
    ),
    [{ TLS_CERT: "a.pem" }, "TLS_CERT is set without TLS_KEY; set both to PEM files, or neither."],
    [{ TLS_KEY: "b.pem" }, "TLS_KEY is set without TLS_CERT; set both to PEM files, or neither."],
    [{ TLS: "off", TLS_CERT: "a.pem", TLS_KEY: "b.pem" }, "TLS=off and TLS_CERT exclude each other."],
    [{ TLS: "no" }, 'TLS is "no"; it takes one of on, off.'],
    [{ DEMO: "false" }, 'DEMO is "false"; it takes one of on, off.'],
    [{ PAYMENTS: "none" }, 'PAYMENTS is "none"; it takes one of sandbox, stripe.'],
    [{ PAYMENTS: "stripe" }, "PAYMENTS=stripe needs STRIPE_SECRET_KEY"],
    [{ PAYMENTS: "sandbox", ...stripe }, "PAYMENTS=sandbox and STRIPE_SECRET_KEY exclude each other"],
    [{ SECRET_KEY: "short" }, "SECRET_KEY has 5 characters; it takes at least 32 random ones"],
    [{ SECRET_KEY: "k".repeat(32), SECRET_KEY_PREVIOUS: "short" }, "SECRET_KEY_PREVIOUS has 5 characters"],
    [{ SECRET_KEY_PREVIOUS: "k".repeat(32) }, "SECRET_KEY_PREVIOUS is set without SECRET_KEY; set both, or neither."],
    [
      { SECRET_KEY: "k".repeat(32), SECRET_KEY_PREVIOUS: "k".repeat(32) },
      "SECRET_KEY_PREVIOUS is the same as SECRET_KEY; remove it, or make SECRET_KEY a new one.",
    ],
    [{ SITE_NAME: "x".repeat(61) }, "SITE_NAME takes one line of at most 60 characters."],
    [{ SITE_NAME: "Beats\nBcc: a@example.com" }, "SITE_NAME takes one line"],
    [{ SITE_COLOR: "violet" }, 'SITE_COLOR is "violet"; it takes a color such as #1a7f64.'],
    [{ SITE_LOGO: "logo.gif" }, 'SITE_LOGO is "logo.gif"; it takes the file of an SVG, PNG, JPEG or WebP picture.'],
    [{ WEBHOOK_ALLOW_PRIVATE: "yes" }, 'WEBHOOK_ALLOW_PRIVATE is "yes"; it takes one of on, off.'],
    ...[
      "cache:6379",
      "redis://one:6379,two:6379",
      "redis+cluster://one:6379/1",
      "redis+cluster://",
      "redis+sentinel://one:26379",
      "redis+sentinel://one:26379/mymaster?password=x",
      "redis://cache:99999",
      "redis://:%zz@cache",
    ].map((url): [NodeJS.ProcessEnv, string] => [{ REDIS_URL: url }, "REDIS_URL takes a URL such as redis://"]),
    ...[
      "beats",
      "s3://",
      "s3://UP_per",
      "https://s3.example.com/beats",
      "file://host/beats",
      "file:///",
      "s3://b:9/x",
    ].map((value): [object, string] => [
      { STORAGE_URL: value },
      "STORAGE_URL takes a bucket such as s3://bucket/prefix?",
    ]),
    [{ STORAGE_URL: "s3://key:hunter2@beats" }, "STORAGE_URL contains credentials; set them as AWS_ACCESS_KEY_ID"],
    [
      { STORAGE_URL: "s3://beats?acl=public" },
      'STORAGE_URL has the parameter "acl"; it takes endpoint, region, path_style.',
    ],
    [{ STORAGE_URL: "s3://beats?endpoint=s3.example.com" }, "The endpoint of STORAGE_URL takes an origin such as"],
    [{ STORAGE_URL: "s3://beats?path_style=yes" }, 'path_style of STORAGE_URL is "yes"; it takes true or false.'],
    ...["s3://", "s3://UP_per", "https://s3.example.com/beats", "file://host/beats", "file:///", "s3://b:9/x"].map(
      (value): [object, string] => [{ BACKUP_VAULT: value }, "BACKUP_VAULT takes a bucket such as s3://bucket/prefix?"],
    ),
    [{ BACKUP_VAULT: "s3://key:hunter2@beats" }, "BACKUP_VAULT contains credentials; set them as AWS_ACCESS_KEY_ID"],
    [{ BACKUP_VAULT: "s3://beats?acl=public" }, 'BACKUP_VAULT has the parameter "acl"; it takes endpoint, region,'],
    [{ BACKUP_VAULT: "s3://beats?endpoint=s3.example.com" }, "The endpoint of BACKUP_VAULT takes an origin such as"],
    [{ BACKUP_VAULT: "s3://beats?path_style=yes" }, 'path_style of BACKUP_VAULT is "yes"; it takes true or false.'],
    [{ DATA_DIR: "/srv/b", BACKUP_VAULT: "/srv/b/vault" }, "BACKUP_VAULT is in DATA_DIR /srv/b, and would be lost"],
    [{ DATA_DIR: "/srv/b", BACKUP_VAULT: "file:///srv/b" }, "BACKUP_VAULT is in DATA_DIR /srv/b, and would be lost"],
    [{ BACKUP_KEY: "short" }, "BACKUP_KEY has 5 characters; it takes at least 32 random ones"],
    [{ BACKUP_KEY: " " }, "BACKUP_KEY is set but empty. If it is read from a file, check that the file exists"],
    [{ BACKUP_KEY: "k".repeat(32), BACKUP_KEY_PREVIOUS: "" }, "BACKUP_KEY_PREVIOUS is set but empty."],
    [{ BACKUP_KEY: "k".repeat(32), BACKUP_KEY_PREVIOUS: "short" }, "BACKUP_KEY_PREVIOUS has 5 characters"],
    [{ BACKUP_KEY_PREVIOUS: "k".repeat(32) }, "BACKUP_KEY_PREVIOUS is set without BACKUP_KEY; set both, or neither."],
    [
      { BACKUP_KEY: "k".repeat(32), BACKUP_KEY_PREVIOUS: "k".repeat(32) },
      "BACKUP_KEY_PREVIOUS is the same as BACKUP_KEY; remove it, or make BACKUP_KEY a new one.",
    ],
    ...["0", "-1", "7d", "1.5", "10000"].map((value): [object, string] => [
      { BACKUP_KEEP_DAYS: value },
      `BACKUP_KEEP_DAYS is "${value}"; it takes days, a whole number from 1 to 9999.`,
    ]),
    [{ SMTP_URL: "mail.example.com" }, "SMTP_URL takes a URL such as smtps://"],
    [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL is "loud"; it takes one of fatal, error, warn, info, debug, trace, silent.'],
    [{ STRIPE_WEBHOOK_SECRET: "whsec_1" }, "STRIPE_WEBHOOK_SECRET is set without STRIPE_SECRET_KEY"],
    [{ STRIPE_API_BASE: "https://s.example" }, "STRIPE_API_BASE is set without STRIPE_SECRET_KEY"],
    [{ STRIPE_SECRET_KEY: "pk_test_1" }, "STRIPE_SECRET_KEY takes a key such as sk_live_…"],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: "secret" }, "STRIPE_WEBHOOK_SECRET takes a secret such as whsec_…"],
    [{ ...stripe, STRIPE_API_BASE: "http://s.example" }, 'STRIPE_API_BASE is "http://s.example"; it takes an https'],
    [{ CURRENCY: "XYZ" }, 'CURRENCY is "XYZ"; it takes an ISO 4217 code of a currency with cents, such as USD.'],
    [
      { REQUEST_LOG_MAX_MB: "10 GB" },
      'REQUEST_LOG_MAX_MB is "10 GB"; it takes megabytes, a whole number from 1 to 999999999.',
    ],
    [
      { ACCOUNT_STORAGE_GB: "50GB" },
      'ACCOUNT_STORAGE_GB is "50GB"; it takes gigabytes, a whole number from 1 to 999999.',
    ],
    [{ STOP_DELAY: "61" }, 'STOP_DELAY is "61"; it takes seconds, a whole number from 0 to 60.'],
    [{ STOP_DELAY: "5s" }, 'STOP_DELAY is "5s"; it takes seconds, a whole number from 0 to 60.'],
    [{ THREADS: "0" }, 'THREADS is "0"; it takes the number of threads that answer HTTP, from 1 to 64.'],
    [{ THREADS: "all" }, 'THREADS is "all"; it takes the number of threads that answer HTTP, from 1 to 64.'],
    [{ THREADS: "65" }, 'THREADS is "65"; it takes the number of threads that answer HTTP, from 1 to 64.'],
    [{ REQUEST_LOG_MAX_MB: "0" }, 'REQUEST_LOG_MAX_MB is "0"; it takes megabytes, a whole number from 1 to 999999999.'],
    [{ CURRENCY: "JPY" }, 'CURRENCY is "JPY"; it takes an ISO 4217 code of a currency with cents, such as USD.'],
    [{ CURRENCY: "eur" }, 'CURRENCY is "eur"; it takes an ISO 4217 code of a currency with cents, such as USD.'],
  ])("%o", (env, sentence) => {
    const read = (): unknown => readConfig(env as NodeJS.ProcessEnv);
    expect(read).toThrow(OperatorError);
    expect(read).toThrow(sentence);
  });

  test.each([
    { DATABASE_URL: "mysql://user:hunter2@host/beats" },
    { DATABASE_URL: "postgres://host/beats", DATABASE_REPLICA_URL: "postgres://user:hunter2@[host/beats" },
    { SMTP_URL: "mail://user:hunter2@host" },
    { CATALOGUE_ENGINE: "http://user:hunter2@host:9200" },
    { REDIS_URL: "tcp://user:hunter2@host" },
    { REQUEST_LOG_URL: "victoria://me:hunter2@logs" },
    { STORAGE_URL: "s3://key:hunter2@beats" },
    { STORAGE_URL: "minio://key:hunter2@beats" },
    { BACKUP_VAULT: "s3://key:hunter2@beats" },
    { BACKUP_KEY: "hunter2" },
    { SECRET_KEY: "hunter2" },
    { STRIPE_SECRET_KEY: "pk_hunter2" },
    { ...stripe, STRIPE_WEBHOOK_SECRET: "hunter2" },
  ])("without showing a secret: %o", (env) => {
    const read = (): unknown => readConfig(env);
    expect(read).toThrow(OperatorError);
    expect(read).not.toThrow(/hunter2/);
  });
});

describe("a server", () => {
  const address = (host: string) => `https://${host}`;
  const names = ["localhost", "beats.localhost", "beats.local", "server", "api.internal", "a.test"];
  const ipv4 = ["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.2:8443", "169.254.1.1", "100.64.0.1"];
  const ipv6 = ["[::1]", "[fd00::1]", "[fe80::1]"];
  const reachable = ["api.example.com", "beats.fm", "172.32.0.1", "8.8.8.8", "[2001:db8::1]", "localhost.example.com"];
  const start = (env: NodeJS.ProcessEnv) => requireServable(readConfig(env));

  test.each([...names, ...ipv4, ...ipv6])("starts on %s with the demo or sandbox payments, even unset", (host) => {
    for (const settings of [{}, { DEMO: "off" }, { DEMO: "off", PAYMENTS: "sandbox" }])
      start({ PUBLIC_URL: address(host), HOST: "0.0.0.0", ...settings });
  });

  test("refuses several threads together with CATALOGUE_ENGINE, which replaces their index", () => {
    const CATALOGUE_ENGINE = "opensearch://one:9200";
    expect(() => start({ CATALOGUE_ENGINE, THREADS: "2" })).toThrow(/Leave out --threads and THREADS/);
    start({ CATALOGUE_ENGINE, THREADS: "1" });
    start({ THREADS: "2" });
  });

  test.each(reachable)("starts on %s only without the demo, and only if payments are set", (host) => {
    const PUBLIC_URL = address(host);
    for (const DEMO of ["on", ""])
      expect(() => start({ PUBLIC_URL, DEMO, ...stripe })).toThrow(/^PUBLIC_URL is https.*set DEMO=off/);
    expect(() => start({ PUBLIC_URL, DEMO: "off" })).toThrow(/set STRIPE_SECRET_KEY, or PAYMENTS=sandbox/);
    start({ PUBLIC_URL, DEMO: "off", ...stripe });
    start({ PUBLIC_URL, DEMO: "off", PAYMENTS: "sandbox" });
  });

  test("is public if it listens on a public address", () => {
    expect(() => start({ HOST: "203.0.113.5" })).toThrow(/^HOST is 203\.0\.113\.5, which is public/);
    for (const HOST of ["127.0.0.1", "0.0.0.0", "::", "::1", "192.168.0.10", "localhost"]) start({ HOST });
  });
});
