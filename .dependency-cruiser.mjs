// The import laws (ARCHITECTURE.md). server/test/laws/architecture.test.ts plants a violation of each rule.

/** The layers of server/src, top first: a module imports its own layer and those below. */
const layers = {
  entry: "^server/src/(main\\.ts$|commands/)",
  app: "^server/src/app/",
  demo: "^server/src/demo/",
  pages: "^server/src/(mcp|portal|reference|site)/",
  media: "^server/src/media/",
  resources: "^server/src/resources/",
  openapi: "^server/src/openapi/",
  access: "^server/src/(access|metrics)/",
  database: "^server/src/database/",
  config: "^server/src/config(\\.ts$|/)",
  settings: "^server/src/site-settings\\.ts$",
};

/** What each package may import of the others. None imports anything outside of packages/. */
const packageImports = {
  foundation: [],
  audio: ["foundation"],
  postgres: ["foundation"],
  storage: ["foundation", "postgres"],
  "transparency-log": ["foundation", "storage"],
  backup: ["foundation", "postgres", "storage", "transparency-log"],
  "catalogue-index": ["foundation", "postgres", "storage"],
  "catalogue-opensearch": ["catalogue-index", "foundation", "postgres"],
  "docs-search": [],
  "resumable-uploads": ["foundation", "http", "postgres", "storage"],
  mail: ["foundation", "postgres"],
  payments: ["foundation"],
  "tabular-files": ["foundation"],
  documents: ["foundation"],
  "license-terms": ["foundation"],
  http: ["foundation"],
  jobs: ["foundation", "postgres", "storage"],
  "secret-box": ["foundation", "postgres"],
  "signing-keys": ["foundation", "postgres", "secret-box"],
  authentication: ["foundation", "http", "postgres", "secret-box"],
  "request-log": ["foundation", "http", "postgres"],
  "webhook-testing": ["foundation"],
  webhooks: ["foundation", "http", "postgres", "storage"],
  "api-reference": ["foundation"],
  "agent-tools": ["docs-search", "foundation", "http"],
};

/** What each resource may import of the others. */
const resourceImports = {
  audit: [],
  changelog: [],
  genres: [],
  ledger: [],
  jobs: [],
  webhooks: ["audit"],
  events: ["webhooks"],
  "request-log": ["webhooks"],
  "saved-views": ["audit"],
  users: ["audit", "webhooks"],
  mails: ["users"],
  payouts: ["audit", "ledger", "mails", "webhooks"],
  splits: ["ledger", "mails"],
  invoices: ["audit"],
  organisations: ["audit", "users"],
  "api-keys": ["audit", "users"],
  "limit-requests": ["api-keys", "audit", "mails"],
  sandboxes: ["audit", "webhooks"],
  credentials: ["api-keys", "audit", "organisations", "webhooks"],
  uploads: ["audit", "jobs", "users", "webhooks"],
  beats: ["audit", "genres", "jobs", "mails", "uploads", "users", "webhooks"],
  claims: ["audit", "beats", "ledger", "users"],
  licenses: ["beats", "jobs", "mails", "webhooks"],
  changes: ["beats"],
  exports: ["beats", "changes"],
  search: ["genres", "users", "beats"],
  orders: ["audit", "invoices", "ledger", "users", "beats", "jobs", "licenses", "mails", "webhooks"],
  discounts: ["audit", "beats"],
  checkouts: ["audit", "beats", "discounts", "invoices", "orders", "users"],
  contacts: ["audit", "mails", "orders"],
  takedowns: ["audit", "beats", "contacts", "mails", "orders", "users", "webhooks"],
  reports: ["audit", "beats", "contacts", "mails", "orders", "takedowns", "users"],
  operations: ["jobs", "limit-requests", "mails", "orders", "reports", "webhooks"],
  libraries: ["contacts", "invoices", "mails", "orders", "users"],
  favorites: ["audit", "beats"],
  follows: ["audit", "users"],
  playlists: ["audit", "beats"],
  "free-downloads": ["beats", "mails", "orders", "users"],
  "personal-data": [
    "api-keys",
    "audit",
    "beats",
    "checkouts",
    "claims",
    "contacts",
    "credentials",
    "discounts",
    "favorites",
    "follows",
    "playlists",
    "free-downloads",
    "invoices",
    "libraries",
    "licenses",
    "limit-requests",
    "mails",
    "orders",
    "organisations",
    "reports",
    "sandboxes",
    "saved-views",
    "takedowns",
    "payouts",
    "splits",
    "uploads",
    "users",
    "webhooks",
  ],
  "catalogue-import": ["genres", "users", "beats", "webhooks"],
};

/** The layers of portal/src, top first (portal/README.md): a module imports its own layer and those below. */
const portalLayers = {
  entry: "^portal/src/(main|routes)\\.tsx$",
  site: "^portal/src/site/",
  pages: "^portal/src/pages/",
  shell: "^portal/src/shell/",
  display: "^portal/src/display/",
  api: "^portal/src/api/",
};

/** Modules that are only imported dynamically, and that may import their libraries statically. */
const firstUse = [
  "^packages/authentication/src/webauthn\\.ts$",
  "^packages/agent-tools/src/protocol\\.ts$",
  "^packages/audio/src/cover/(make|painted)-cover\\.ts$",
  "^packages/http/src/rate-limit/redis-(?!address)",
  "^packages/license-terms/src/(folder|usage-csv)\\.ts$",
  "^packages/catalogue-opensearch/src/(?!address)",
  "^packages/payments/src/stripe/(stripe|stripe-pages|stripe-transfers|states)\\.ts$",
  "^packages/resumable-uploads/src/tus-server\\.ts$",
  "^packages/documents/src/typst-worker\\.ts$",
  "^packages/storage/src/(s3-(files|client)|signed-put)\\.ts$",
  "^packages/foundation/src/tracing/open-telemetry\\.ts$",
];

const test = "\\.test\\.ts$";
const names = Object.keys(resourceImports);
const layerNames = Object.keys(layers);
const resource = (name) => `^server/src/resources/${name}/`;

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    ...layerNames.slice(1).map((name, index) => ({
      name: `${name}-imports-down`,
      comment:
        "Imports go down: main → app → demo → mcp, portal, reference, site → media → openapi, resources → access, metrics → database → config → settings.",
      severity: "error",
      from: { path: layers[name], pathNot: test },
      to: { path: layerNames.slice(0, index + 1).map((above) => layers[above]) },
    })),
    ...Object.entries(packageImports).map(([name, imports]) => ({
      name: `${name}-package-imports`,
      comment: `packages/${name} may import: ${imports.join(", ") || "no other package"}; and nothing outside of packages/.`,
      severity: "error",
      from: { path: `^packages/${name}/` },
      to: {
        path: "^(packages|server|portal|clients|bench|contract|scripts)/",
        pathNot: [name, ...imports].map((folder) => `^packages/${folder}/`),
      },
    })),
    {
      name: "every-package-in-the-order",
      comment: "A new package gets its place in packageImports of this file.",
      severity: "error",
      from: {},
      to: { path: "^packages/", pathNot: Object.keys(packageImports).map((name) => `^packages/${name}/`) },
    },
    {
      name: "foundation-text-imports-nothing",
      severity: "error",
      from: { path: "^packages/foundation/src/(?!tracing/)", pathNot: test },
      to: { path: "" },
    },
    {
      name: "every-module-in-a-layer",
      comment: "A new folder in server/src gets its place in the layers of this file.",
      severity: "error",
      from: {},
      to: { path: "^server/src/", pathNot: Object.values(layers) },
    },
    {
      name: "configuration-is-handed-down",
      comment: "Only the entry imports config.ts. The layers below get parameters; they may import its types.",
      severity: "error",
      from: { path: "^server/src/", pathNot: [layers.entry, layers.config, test] },
      to: { path: layers.config, dependencyTypesNot: ["type-only"] },
    },
    ...names.map((name) => ({
      name: `${name}-knows-its-place`,
      comment: `The order of the resources; ${name} may import: ${resourceImports[name].join(", ") || "none of them"}.`,
      severity: "error",
      from: { path: resource(name), pathNot: test },
      to: { path: layers.resources, pathNot: [name, ...resourceImports[name]].map(resource) },
    })),
    {
      name: "every-resource-in-the-order",
      comment: "A new resource gets its place in resourceImports of this file.",
      severity: "error",
      from: {},
      to: { path: layers.resources, pathNot: names.map(resource) },
    },
    {
      name: "source-without-test-code",
      severity: "error",
      from: { path: "^(server|packages/[^/]+)/src/", pathNot: test },
      to: { path: ["^server/(test|tools)/", "^packages/[^/]+/testing/", test] },
    },
    {
      name: "source-without-development-packages",
      severity: "error",
      from: { path: "^(server|packages/[^/]+)/src/", pathNot: test },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "loaded-on-first-use",
      comment:
        "Libraries that a server may never need are imported dynamically. Otherwise they would double the memory of a server after its start, and the duration of the start.",
      severity: "error",
      from: { path: "^(server|packages/[^/]+)/src/", pathNot: [test, ...firstUse] },
      to: {
        path: [
          ...firstUse,
          "node_modules/(@aws-sdk|@modelcontextprotocol|@myriaddreamin|@opensearch-project|@opentelemetry|@redis|@tus|nodemailer|sharp|stripe|undici)/",
        ],
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "contract-imports-nothing",
      comment:
        "The contract is shared by server, portal and clients. It imports none of them, and runs in a browser too.",
      severity: "error",
      from: { path: "^contract/", pathNot: test },
      to: { pathNot: "^contract/" },
    },
    {
      name: "packages-share-the-contract-only",
      comment:
        "Server, portal, clients and bench never import one another. Programs of users import the packed client.",
      severity: "error",
      from: {
        path: "^(server|portal|clients|bench)/",
        pathNot: "^(portal/test|portal/src/api|server/test/foreign/callers)/",
      },
      to: { path: "^(server|portal|clients|bench)/", pathNot: "^$1/" },
    },
    {
      name: "portal-calls-by-the-client-library",
      comment:
        "The portal is a user of the JavaScript client: it imports what the package exports, and no other module of it.",
      severity: "error",
      from: { path: "^portal/src/api/" },
      to: { path: "^(server|clients|bench)/", pathNot: "^clients/javascript/src/index\\.ts$" },
    },
    ...Object.keys(portalLayers)
      .slice(1)
      .map((name, index) => ({
        name: `portal-${name}-imports-down`,
        comment: "Imports in portal/src go down: main → routes, site → pages → shell → display → api.",
        severity: "error",
        from: { path: portalLayers[name] },
        to: {
          path: Object.values(portalLayers).slice(0, index + 1),
        },
      })),
    {
      name: "portal-pages-are-separate",
      comment: "A page imports nothing of another page. Shared components are in display/, shared queries in api/.",
      severity: "error",
      from: { path: "^portal/src/pages/([^/]+)/" },
      to: { path: "^portal/src/pages/", pathNot: "^portal/src/pages/$1/" },
    },
    {
      name: "portal-modules-have-a-layer",
      comment: "A new folder in portal/src gets its place in portalLayers of this file.",
      severity: "error",
      from: {},
      to: { path: "^portal/src/.*\\.tsx?$", pathNot: Object.values(portalLayers) },
    },
    {
      name: "portal-tests-use-the-test-server",
      comment:
        "They start the server as a process, on a database of the server's test harness. They never import its source.",
      severity: "error",
      from: { path: "^portal/test/" },
      to: { path: "^(server|clients|bench)/", pathNot: "^server/test/" },
    },
    {
      name: "portal-runs-in-a-browser",
      comment:
        "Icons come from portal/icons: portal/vite.config.ts replaces the package of the icons with that folder.",
      severity: "error",
      from: { path: "^portal/src/", pathNot: test },
      to: {
        dependencyTypes: ["core", "npm-dev"],
        pathNot: "^node_modules/@tabler/icons-react/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "scripts-run-before-install",
      comment: "The scripts install the packages, so they cannot import one. They start the server as a process.",
      severity: "error",
      from: { path: "^scripts/", pathNot: test },
      to: { pathNot: "^scripts/", dependencyTypesNot: ["core"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^([^/]+|clients/javascript)/dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
