import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import examples from "../../contract/examples.json" with { type: "json" };
import { type Call, type Json, rawCall, typedCall } from "../../contract/snippets/call.ts";
import { type Language, languageLabels } from "../../contract/snippets/language.ts";
import { operations } from "../../contract/snippets/operations.ts";
import { snippetFor } from "../../contract/snippets/snippets.ts";
import { type FaultProxy, responding, startFaultProxy } from "./runner/fault-proxy.ts";
import { isInstalled, languages } from "./runner/languages.ts";
import { makeWorkshop } from "./runner/programs.ts";
import { makeSeries, type Series } from "./runner/series.ts";
import { direct, type Service, startService } from "./runner/service.ts";

const clients = fileURLToPath(new URL("../", import.meta.url));

let folder: string;
let service: Service;
let apiKey: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-snippets-"));
  service = await startService(folder);
  const createdKey = await service.command("keys", "create", "--email", "snippets@example.com", "--plan", "internal");
  apiKey = String(createdKey.key);
  await direct(service, apiKey, "/orders", { beat_id: 1, payment_method: "pm_card_visa" });
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The first call of docs/finding-beats.md, which the document shows in every language. */
const documentedCall: Call = {
  operationId: "listBeats",
  query: { key: "A minor", bpm_min: "138", bpm_max: "142", price_max: "40", sort: "popular" },
};

const uploadId = "upl_0000000000000000000009";

/** Operations on objects that only the server of the documentation has. They get the documented response. */
const recordedExamples = {
  getEvent: examples.operations.getEvent,
  listRequests: examples.operations.listRequests,
  getRequest: examples.operations.getRequest,
  createBeat: examples.operations.createBeat,
  updateBeat: examples.operations.updateBeat,
  withdrawBeat: examples.operations.withdrawBeat,
  listOwnBeats: examples.operations.listOwnBeats,
  listUploads: examples.operations.listUploads,
  getUpload: examples.operations.getUpload,
  listOrderFiles: examples.operations.listOrderFiles,
  askLicense: examples.operations.askLicense,
  upgradeLicense: examples.operations.upgradeLicense,
  listLicenseUsage: examples.operations.listLicenseUsage,
  reportLicenseUsage: examples.operations.reportLicenseUsage,
  listSales: examples.operations.listSales,
  retryUpload: examples.operations.retryUpload,
  getPlaylist: examples.operations.getPlaylist,
  updatePlaylist: examples.operations.updatePlaylist,
  deletePlaylist: examples.operations.deletePlaylist,
  addPlaylistBeat: examples.operations.addPlaylistBeat,
  removePlaylistBeat: examples.operations.removePlaylistBeat,
  // Operations that accept only test keys.
  createSandbox: examples.operations.createSandbox,
  listSandboxes: examples.operations.listSandboxes,
  getSandbox: examples.operations.getSandbox,
  advanceSandbox: examples.operations.advanceSandbox,
  forkSandbox: examples.operations.forkSandbox,
  deleteSandbox: examples.operations.deleteSandbox,
  triggerEvent: examples.operations.triggerEvent,
};

const sandboxId = "3n0vk7d2m9q4xw1c";

/** Calls of each operation as the API explorer makes them. */
const calls: Call[] = [
  documentedCall,
  {
    operationId: "listBeats",
    query: {
      bpm: "100",
      bpm_tolerance: "2.5",
      half_double: "true",
      license: "basic,premium",
      created_after: "2026-01-01",
    },
  },
  { operationId: "listBeats", query: { limit: "3", sort: "popular", producer: null } },
  { operationId: "listBeats", query: { limit: 2, page: 2 } },
  { operationId: "getBeat", parameters: { beat_id: 1 } },
  { operationId: "listSimilarBeats", parameters: { beat_id: "1" }, query: { limit: 3 } },
  { operationId: "getUser", parameters: { user_id: 1 } },
  { operationId: "updateProfile", body: { display_name: "Zoë 'n' \"Co\"", bio: null } },
  { operationId: "listProducers", query: { limit: 2, sort: "name" } },
  { operationId: "listGenres" },
  { operationId: "search", query: { q: "lantern", limit: 2 } },
  { operationId: "search", query: { q: "maker", type: "producers", limit: 2 } },
  { operationId: "listOrders", query: { status: "completed" } },
  { operationId: "getOrder", parameters: { order_id: 1 } },
  {
    operationId: "createOrder",
    body: { beat_id: 2, payment_method: "pm_card_visa", license_type: "premium", currency: "USD" },
    idempotencyKey: "snippet-$HOME-'\"",
  },
  {
    operationId: "createCheckout",
    body: { items: [{ beat_id: 2, license_type: "premium" }, { beat_id: 4 }], email: "buyer@example.com" },
    idempotencyKey: "snippet-checkout",
  },
  {
    operationId: "createQuote",
    body: { items: [{ beat_id: 2, license_type: "premium" }, { beat_id: 4 }], discount_code: "SPRING" },
  },
  { operationId: "getCheckout", parameters: { checkout_id: 1 } },
  { operationId: "addFavorite", parameters: { beat_id: 2 } },
  { operationId: "listFavorites", query: { limit: 2 } },
  { operationId: "removeFavorite", parameters: { beat_id: 2 } },
  { operationId: "followUser", parameters: { user_id: 1 } },
  { operationId: "listFollowing", query: { limit: 2 } },
  { operationId: "unfollowUser", parameters: { user_id: 1 } },
  {
    operationId: "createPlaylist",
    body: { title: "Late drives", visibility: "public", beat_ids: [1, 2] },
    idempotencyKey: "snippet-playlist",
  },
  { operationId: "listPlaylists", query: { limit: 2 } },
  { operationId: "getPlaylist", parameters: { playlist_id: "pl_0000000000000000000001" } },
  {
    operationId: "updatePlaylist",
    parameters: { playlist_id: "pl_0000000000000000000001" },
    body: { title: "Later drives", beat_ids: [2, 1] },
  },
  { operationId: "addPlaylistBeat", parameters: { playlist_id: "pl_0000000000000000000001", beat_id: 3 } },
  { operationId: "removePlaylistBeat", parameters: { playlist_id: "pl_0000000000000000000001", beat_id: 1 } },
  { operationId: "deletePlaylist", parameters: { playlist_id: "pl_0000000000000000000002" } },
  { operationId: "listOrderFiles", parameters: { order_id: 1 } },
  { operationId: "listOrderInvoices", parameters: { order_id: 1 } },
  { operationId: "downloadOrderArchive", parameters: { order_id: 1 } },
  {
    operationId: "askLicense",
    parameters: { license_id: "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60" },
    body: { use: "streams", quantity: 250_000 },
  },
  {
    operationId: "upgradeLicense",
    parameters: { license_id: "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60" },
    body: { license_type: "premium", payment_method: "pm_card_visa" },
  },
  {
    operationId: "listLicenseUsage",
    parameters: { license_id: "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60" },
  },
  {
    operationId: "reportLicenseUsage",
    parameters: { license_id: "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60" },
    body: { use: "streams", quantity: 82_000, period: "2026-11", source: "Distributor" },
  },
  { operationId: "createSandbox", body: { seed: "checkout-flow", catalogue: "empty" } },
  { operationId: "listSandboxes" },
  { operationId: "getSandbox", parameters: { sandbox_id: sandboxId } },
  {
    operationId: "advanceSandbox",
    parameters: { sandbox_id: sandboxId },
    body: { by: "P90D", orders_per_day: 5, faults: [{ refunds: "bounce", share: 0.02 }] },
  },
  { operationId: "forkSandbox", parameters: { sandbox_id: sandboxId } },
  { operationId: "deleteSandbox", parameters: { sandbox_id: sandboxId } },
  { operationId: "triggerEvent", body: { type: "order.refunded" } },
  { operationId: "listSales", query: { from: "2026-11-01", to: "2026-12-01", limit: 2 } },
  { operationId: "exportSales", query: { month: "2026-11" } },
  { operationId: "listChanges", query: { after: 0, limit: "3" } },
  { operationId: "listEvents", query: { after: 0, limit: 3 } },
  { operationId: "listRequests", query: { status_class: "4xx", to: "2026-11-20", limit: 1 } },
  { operationId: "getRequest", parameters: { request_id: "01a1f3ad-8e00-7000-8000-000000000001" } },
  { operationId: "getEvent", parameters: { event_id: "evt_01M7WD7TG00123456789ABCDEF" } },
  { operationId: "exportBeats" },
  {
    operationId: "createBeat",
    body: {
      title: "Zoë's 'beat' #{1}",
      genre: "Ambient",
      audio: uploadId,
      price: 29.9,
      license_prices: { premium: 49.5 },
      tags: ["warm", "$HOME"],
    },
    idempotencyKey: "snippet-beat",
  },
  { operationId: "createBeat", body: { title: "x", genre: 3, audio: uploadId, price: 20, tags: ["one"] } },
  {
    operationId: "updateBeat",
    parameters: { beat_id: 401 },
    body: { price: 34.9, description: null, license_prices: null, tags: ["a", "b"], status: "published" },
  },
  { operationId: "withdrawBeat", parameters: { beat_id: "403" } },
  { operationId: "listOwnBeats", query: { status: "draft", limit: 2 } },
  { operationId: "listUploads", query: { limit: 2 } },
  { operationId: "getUpload", parameters: { upload_id: uploadId } },
  { operationId: "retryUpload", parameters: { upload_id: uploadId } },
  { operationId: "listBeats", query: { limit: 1 }, form: "console" },
  { operationId: "createOrder", body: { beat_id: 3, payment_method: "pm_card_visa" }, form: "console" },
  { method: "get", path: "/beats/2/similar", query: { limit: "1" } },
];

/** Text that breaks programs that do not escape it. */
const nasty = `'"\\ $HOME $(id) \`id\` #{1 + 1} #$0 \${x} {$x} %s %41 <?= 1 ?> é 😀 \u202e \u2028 \r\n\t&a=b+c#d \\' \\" \\\\u0041`;
const hostile: Call[] = [
  { operationId: "search", query: { q: nasty } },
  { operationId: "search", query: { q: nasty }, form: "console" },
  { operationId: "updateProfile", body: { bio: nasty, display_name: `${nasty}` } },
  { operationId: "createOrder", body: { beat_id: 1, payment_method: nasty } },
  { method: "GET", path: `/beats/${nasty.replaceAll("\\", "")}`, query: { [nasty]: nasty } },
  {
    method: "PUT",
    path: "/users/profile",
    body: JSON.parse(
      '{"__proto__": {"0": []}, "empty": {}, "list": {"0": "a", "1": {"constructor": null}}, "numbers": [0, -1.5, 1e21, true, []]}',
    ) as Json,
  },
  { method: "PUT", path: "/users/profile", body: { [nasty]: [nasty, { "1": nasty, "-x": null, class: false }] } },
  { method: "DELETE", path: "/beats/1" },
];

/** The name of the file for a snippet of each language. */
const files: Record<Language, string> = {
  curl: "snippet.sh",
  javascript: "snippet.mjs",
  python: "snippet.py",
  php: "snippet.php",
  ruby: "snippet.rb",
  go: "snippet.go",
};

test("every operation is called", () => {
  const called = new Set(calls.map(({ operationId }) => operationId));
  expect(Object.keys(operations).filter((id) => !called.has(id))).toEqual([]);
});

describe.each(Object.keys(languageLabels) as Language[])("%s", (language) => {
  const client = languages.find(({ name }) => name === language);
  const isRunnable = client === undefined || isInstalled(client) || process.env.CI === "true";
  let proxy: FaultProxy;
  let series: Series | undefined;
  /** Runs a program in a separate process. */
  let execute: (source: string) => Promise<string>;
  /** Runs the program of a call of `calls` or `hostile`. */
  let executeCall: (index: number) => Promise<string>;

  beforeAll(async () => {
    const ca = await readFile(service.caFile, "utf8");
    proxy = await startFaultProxy({ origin: service.origin, ca, certificate: service.certificate });
    if (!isRunnable) return;
    const home = await mkdtemp(join(folder, `${language}-`));
    const workshop = await makeWorkshop(language, home);
    const env = { BEATMARKET_API_KEY: apiKey, HOME: home };
    execute = async (source) => {
      await writeFile(join(home, files[language]), source);
      const { status, stdout, stderr } = await workshop.run(files[language], [], env);
      expect(status, stderr).toBe(0);
      return stdout;
    };
    const sources = [...calls, ...hostile].map(snippet);
    executeCall = (index) => execute(sources[index] ?? "");
    if (language === "curl") return;
    const newSeries = await makeSeries(language, workshop, sources, env);
    series = newSeries;
    executeCall = newSeries.run;
  });
  afterAll(async () => {
    await series?.close();
    await proxy?.close();
  });

  const snippet = (call: Call): string =>
    snippetFor(language, call, {
      baseUrl: `${proxy.origin}/v1`,
      keyVariable: "BEATMARKET_API_KEY",
      caFile: service.caFile,
    });

  /** Asserts that the proxy received exactly one request, and that it is this call. */
  function expectSent(call: Call): void {
    const expected = rawCall(call);
    expect(proxy.requests).toHaveLength(1);
    const { method, url, headers, body } = proxy.requests[0] as (typeof proxy.requests)[number];
    const sentUrl = new URL(url, proxy.origin);
    expect(method).toBe(expected.method);
    expect(decodeURIComponent(sentUrl.pathname)).toBe(decodeURIComponent(`/v1${expected.path}`));
    const query = expected.query.map(([name, value]) => [name, String(value)]);
    expect([...sentUrl.searchParams].sort()).toEqual(query.sort());
    expect(body === "" ? undefined : JSON.parse(body)).toEqual(expected.body);
    expect(headers.authorization).toBe(`Bearer ${apiKey}`);
    for (const [name, value] of expected.headers) expect(headers[name.toLowerCase()]).toBe(value);
  }

  test.skipIf(!isRunnable)("a snippet ends by itself after its response", async () => {
    const call = { operationId: "listGenres" };
    proxy.begin();
    expect(await execute(snippet(call))).not.toBe("");
    expectSent(call);
  });

  test.skipIf(!isRunnable).each(calls.map((call, index) => ({ index, call })))(
    "call $index, $call.operationId $call.path, is sent and its response printed",
    async ({ index, call }) => {
      const example = recordedExamples[call.operationId as keyof typeof recordedExamples];
      proxy.begin(() => (example === undefined ? undefined : responding(200, example.reference)));
      const output = await executeCall(index);
      expectSent(call);
      const { shows } = operations[call.operationId ?? ""] ?? {};
      if (shows?.as === "file") {
        const position = proxy.requests[0]?.response?.headers["x-change-position"];
        const printedField = shows.field === "position" ? position : shows.resource;
        expect(output.trim()).toBe(language === "curl" ? "" : printedField);
        return;
      }
      const response = JSON.parse(String(proxy.requests[0]?.response?.body)) as Json;
      const asTypedCall = language === "curl" ? undefined : typedCall(call);
      if (asTypedCall === undefined) expect(JSON.parse(output)).toEqual(response);
      else expect(output.trimEnd().split("\n")).toEqual(shownOf(response, asTypedCall.shows));
    },
  );

  test.skipIf(!isRunnable)("docs/finding-beats.md shows the first call and the example; its commands run", async () => {
    const guide = await readFile(join(clients, "../docs/finding-beats.md"), "utf8");
    const connection = { baseUrl: "https://localhost:8443/v1", keyVariable: "BEATMARKET_API_KEY", caFile: "ca.pem" };
    expect(guide).toContain(`\n${snippetFor(language, documentedCall, connection)}\`\`\`\n`);
    proxy.begin();
    if (language === "curl") {
      const commands = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, source = ""]) => source);
      expect(commands.length).toBeGreaterThan(5);
      const withService = (source: string) =>
        source.replace("'ca.pem'", `'${service.caFile}'`).replace(connection.baseUrl, `${proxy.origin}/v1`);
      const output = await execute(commands.map((source) => `${withService(source)}\necho`).join("\n"));
      const statuses = output
        .trimEnd()
        .split(/\n(?=\{)/)
        .map((line) => (JSON.parse(line) as { status: string }).status);
      expect(statuses).toEqual(commands.map(() => "success"));
      return;
    }
    // examples.test.ts runs this program.
    const examplesFolder = join(clients, language, "examples");
    // Each Go program has its own folder.
    const names = ["mixing/main.go", ...(await readdir(examplesFolder))];
    const name = names.find((each) => each.startsWith(language === "go" ? "mixing/" : "mixing.")) ?? "";
    expect(guide).toContain(`\n${await readFile(join(examplesFolder, name), "utf8")}\`\`\`\n`);
  });

  test.skipIf(!isRunnable).each(hostile.map((call, index) => ({ index, call })))(
    "hostile call $index arrives unchanged",
    async ({ index, call }) => {
      const asTypedCall = language === "curl" ? undefined : typedCall(call);
      // A response with the members of all responses, so that each program finds the field that it prints.
      const data = Object.assign(
        {},
        ...Object.values(examples.operations).map((operation) =>
          "reference" in operation && "data" in operation.reference ? operation.reference.data : {},
        ),
      );
      data.pagination = { ...data.pagination, next_page_url: null, prev_page_url: null };
      proxy.begin(() => responding(200, { status: "success", data }));
      await executeCall(calls.length + index);
      expectSent(call);
      expect(asTypedCall !== undefined || language === "curl" || /[Rr]equest\(/.test(snippet(call))).toBe(true);
    },
  );
});

test("each documented operation has a program in each language, except steps of uploads and usage files", async () => {
  const file = join(dirname(clients), "contract/openapi.json");
  const { paths } = JSON.parse(await readFile(file, "utf8"));
  const bare: string[] = [];
  for (const methods of Object.values(paths as Record<string, Record<string, Record<string, unknown>>>))
    for (const { operationId, "x-codeSamples": samples } of Object.values(methods)) {
      if (samples === undefined) {
        bare.push(String(operationId));
        continue;
      }
      const labels = (samples as { label: string; source: string }[]).map(({ label }) => label);
      expect(labels, String(operationId)).toEqual(Object.values(languageLabels));
      for (const { source } of samples as { source: string }[]) expect(source).not.toMatch(/[Rr]equest\(/);
    }
  const steps = ["appendToUpload", "createUpload", "deleteUpload", "getUploadOffset"];
  expect(bare.sort()).toEqual([...steps, "reportLicenseUsageFile"]);
});

/** The lines that a program prints for a response: the field of one resource, or of each resource in a list. */
function shownOf(response: Json, { as, resource, field }: { as: string; resource: string; field: string }): string[] {
  const { data } = response as { data: Record<string, Json> };
  const shownResources = as === "one" ? [data[resource]] : (data[pluralOf(resource)] as Json[]);
  const lines = shownResources.map((each) => String((each as Record<string, Json>)[field]));
  return lines.length === 0 ? [""] : lines;
}

const pluralOf = (resource: string): string => resource + (resource.endsWith("x") ? "es" : "s");
