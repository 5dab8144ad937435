/** The documents of the portal by who reads them, in the order to read them: files of docs/, without .md. */
export const groups = [
  {
    title: "Guides",
    pages: [
      "quickstart",
      "client-libraries",
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
      "publishing",
      "discounts",
      "analysis",
      "webhooks",
      "mirroring",
      "request-log",
      "status",
      "portal",
      "organisations",
      "glossary",
    ],
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

/** The path of a document below /portal, as the router has it: "/docs/webhooks", "/docs/api" for docs/api/README.md. */
export const pathOf = (name: string): string => `/docs/${name.replace(/\/README$/, "")}`;

/** The path of its Markdown below /portal. Links from one document to another hold there as in the repository. */
export const markdownPathOf = (name: string): string => `/docs/${name}.md`;
