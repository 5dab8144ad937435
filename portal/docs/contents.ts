/** Titles of the client libraries' pages. Their READMEs begin with the name of the package instead. */
export const clientTitles: Readonly<Record<string, string>> = {
  "clients/javascript": "JavaScript client",
  "clients/python": "Python client",
  "clients/php": "PHP client",
  "clients/ruby": "Ruby client",
  "clients/go": "Go client",
};

const libraries = ["javascript", "python", "php", "ruby", "go"] as const;

/** Pages that the build generates from the source of the client libraries. They have no file. */
export const referencePages = libraries.flatMap(
  (name) => [`clients/${name}-reference`, `clients/${name}-types`] as const,
);

/** The library of a generated page (`referencePages`); null for a document with a file. */
export const libraryOf = (name: string): string | null =>
  /^clients\/(\w+)-(?:reference|types)$/.exec(name)?.[1] ?? null;

/**
 * The portal's documents, grouped by reader, in reading order. A name is a file of docs/ without .md, the README of a
 * client library, or a generated page.
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

/** The file of a document in the repository. A generated page gets its name with .md. */
export function sourceOf(name: string): string {
  if (name in clientTitles) return `${name}/README.md`;
  return libraryOf(name) === null ? `docs/${name}.md` : `${name}.md`;
}

/** The router's path of a document, below /portal: "/docs/webhooks"; "/docs/api" for docs/api/README.md. */
export const pathOf = (name: string): string => `/docs/${name.replace(/\/README$/, "")}`;

/**
 * The path of a document's Markdown, below /portal. Relative links between documents work there as in the repository.
 */
export const markdownPathOf = (name: string): string => `/docs/${name}.md`;
