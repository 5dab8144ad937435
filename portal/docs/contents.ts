/** The titles of the pages of the client libraries, whose READMEs begin with the name of the package. */
export const clientTitles: Readonly<Record<string, string>> = {
  "clients/javascript": "JavaScript client",
  "clients/python": "Python client",
  "clients/php": "PHP client",
  "clients/ruby": "Ruby client",
  "clients/go": "Go client",
};

const libraries = ["javascript", "python", "php", "ruby", "go"] as const;

/** The pages that are made from the source of the client libraries: no file has them. */
export const referencePages = libraries.flatMap(
  (name) => [`clients/${name}-reference`, `clients/${name}-types`] as const,
);

/** The library of a page of `referencePages`; null for a document that is a file. */
export const libraryOf = (name: string): string | null =>
  /^clients\/(\w+)-(?:reference|types)$/.exec(name)?.[1] ?? null;

/**
 * The documents of the portal by who reads them, in the order to read them: files of docs/, without .md, and the READMEs of the
 * client libraries, and their reference.
 */
export const groups = [
  {
    title: "Guides",
    pages: [
      "quickstart",
      "client-libraries",
      "cli",
      "agents",
      "explorer",
      "finding-beats",
      "similarity",
      "buying",
      "orders",
      "delivery",
      "licenses",
      "clauses",
      "license-log",
      "selling-beats",
      "publishing",
      "discounts",
      "analysis",
      "webhooks",
      "buckets",
      "test-your-integration",
      "mirroring",
      "request-log",
      "status",
      "portal",
      "organisations",
      "glossary",
    ],
  },
  {
    title: "Client libraries",
    pages: libraries.map((name) => `clients/${name}` as const),
  },
  {
    title: "Client reference",
    pages: referencePages,
  },
  {
    title: "API",
    pages: [
      "api/README",
      "api/conventions",
      "api/authentication",
      "api/limits",
      "api/errors",
      "api/beats",
      "api/users",
      "api/genres",
      "api/search",
      "api/favorites",
      "api/checkouts",
      "api/orders",
      "api/licenses",
      "api/sales",
      "api/requests",
      "api/sandboxes",
      "api/uploads",
      "api/changes",
      "api/events",
      "api/exports",
      "api/versioning",
    ],
  },
  {
    title: "For operators",
    pages: [
      "running-a-marketplace",
      "deploying",
      "operating",
      "scaling",
      "upgrading",
      "backups",
      "observability",
      "alerts",
      "import",
      "takedowns",
      "refunds",
      "mails",
      "translating",
      "ledger",
      "payouts",
      "invoices",
      "privacy",
      "security",
      "benchmarks",
      "third-party",
    ],
  },
] as const;

export const documents: readonly string[] = groups.flatMap(({ pages }) => pages);

/** The file of a document in the repository; for a page of `referencePages` its name, with .md. */
export const sourceOf = (name: string): string =>
  name in clientTitles ? `${name}/README.md` : libraryOf(name) === null ? `docs/${name}.md` : `${name}.md`;

/** The path of a document below /portal, as the router has it: "/docs/webhooks", "/docs/api" for docs/api/README.md. */
export const pathOf = (name: string): string => `/docs/${name.replace(/\/README$/, "")}`;

/** The path of its Markdown below /portal. Links from one document to another hold there as in the repository. */
export const markdownPathOf = (name: string): string => `/docs/${name}.md`;
