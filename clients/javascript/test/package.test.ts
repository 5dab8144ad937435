import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import * as beatmarket from "beatmarket";
import { expect, test } from "vitest";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "..");
const installed = join(folder, "node_modules/beatmarket");
const require = createRequire(import.meta.url);
/** The lowest version of TypeScript that the README names, by its name in tools.json. */
const oldest = "typescript-oldest";
const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));

test("has the same exports for import and require", () => {
  const required = require("beatmarket");
  expect(Object.keys(required).sort()).toEqual(Object.keys(beatmarket).sort());
  const known = ["BeatMarket", "version", "webhooks"]; // Everything else is an error to catch.
  expect(
    Object.keys(required)
      .filter((name) => !/^[A-Z]\w+Error$/.test(name))
      .sort(),
  ).toEqual(known);
  expect(required.BeatMarket).not.toBe(beatmarket.BeatMarket); // Both formats were loaded.
  expect(new required.BeatMarket({ apiKey: "bm_1" })).toBeInstanceOf(required.BeatMarket);
});

test("has recorded examples for tests, with import and with require", async () => {
  for (const { event, response } of [await import("beatmarket/testing"), require("beatmarket/testing")]) {
    const { data } = response("getBeat");
    expect(data.beat.title).toBe("Telephone & Shadow");
    data.beat.title = "Changed";
    expect(response("getBeat").data.beat.title).toBe("Telephone & Shadow");
    expect(JSON.parse(event("beat.purchased")).type).toBe("beat.purchased");
    expect(() => response("playBeat")).toThrow("There is no example of playBeat.");
    expect(() => event("toString")).toThrow("There is no example of toString.");
  }
});

test("exports its version, and has no dependencies", async () => {
  expect(manifest.version).toBe(beatmarket.version);
  const lock = JSON.parse(await readFile(join(folder, "node_modules/.package-lock.json"), "utf8"));
  expect(Object.keys(lock.packages)).toEqual(["node_modules/beatmarket"]);
  // Its development dependencies are installed only in the folder where it is built.
  const needed = Object.keys(manifest).filter((name) => /dependencies/i.test(name) && name !== "devDependencies");
  expect(needed).toEqual([]);
});

test("contains the files that the README links to", async () => {
  const page = await readFile(join(installed, "README.md"), "utf8");
  const links = [...page.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, link = ""]) => link);
  expect(links).toContain("examples/receiver.mjs");
  for (const link of links) expect(existsSync(join(installed, link)), link).toBe(true);
});

test("passes publint", async () => {
  const { publint } = await import("publint");
  expect((await publint({ pkgDir: installed, pack: false, strict: true })).messages).toEqual([]);
});

test("has types that resolve in every module resolution mode", async () => {
  const attw = join(folder, "node_modules/@arethetypeswrong/cli/dist/index.js");
  const [pack = ""] = (await run("sh", ["-c", `ls ${folder}/*.tgz`])).stdout.trim().split("\n");
  const { stdout } = await run(process.execPath, [attw, pack, "--format", "json"]);
  const { analysis } = JSON.parse(stdout);
  expect(analysis.types.kind).toBe("included");
  expect(analysis.problems).toEqual([]);
});

const program = `import { BeatMarket, type Orders, webhooks } from "beatmarket";
import { event as recorded, response } from "beatmarket/testing";
const client = new BeatMarket({
  apiKey: "bm_1",
  logger: console,
  headers: { "X-Tenant": "7" },
  onRequest: ({ attempt }) => attempt.toFixed(),
  onResponse: async ({ status, requestHeaders }) => console.log(status?.toFixed(), requestHeaders["x-tenant"]),
});
export async function use(): Promise<void> {
  const beat = await client.beats.get(1);
  const title: string = beat.title;
  const orders: Orders = client.orders;
  console.log((await orders.get(1)).status);
  const license: string | undefined = beat.licenses[0]?.type;
  for await (const { id } of client.beats.list({ sort: "popular", genre: null })) id.toFixed();
  for await (const hit of client.search("a")) if ("title" in hit) hit.title.trim();
  const mixing = await client.beats.list({ genre: [1, 2], key: "8A", created_after: new Date(), facets: ["genre"] });
  const counts = mixing.facets?.genre?.map(({ count, value }) => value.name + count.toFixed());
  const [whole] = (await client.beats.list({ ids: [1, 2] })).data;
  const [part] = (await client.beats.list({ fields: ["title"] })).data;
  const texts: (string | undefined)[] = [whole?.description, part?.title];
  const { totals, interpreted } = await client.search("a", { interpret: false });
  console.log(counts, texts, totals.beats, interpreted?.bpm_min, (await client.beats.getMany([1])).missing);
  // @ts-expect-error: bpm is a number.
  client.beats.list({ bpm_min: [1] });
  // @ts-expect-error: with fields, any field of a beat may be missing.
  part?.title.trim();
  const { data, total } = await client.orders.list({ status: "completed" });
  if (data[0]?.status === "anything new") console.log(total, title, license);
  const event = await webhooks.unwrap(new Uint8Array(), {}, ["whsec_1"]);
  if (event.type === "beat.purchased") event.data.amount.toFixed(2);
  switch (event.type) {
    case "beat.created":
    case "beat.updated":
      event.data.title.trim();
      break;
    case "beat.purchased":
    case "user.registered":
    case "user.updated":
      break;
    default: {
      const newer: unknown = event.data;
      console.log(event.type, newer);
    }
  }
  const next = await (await client.beats.list({ ids: [1] })).nextPage();
  for (const { tags } of next ?? []) tags.join();
  if (next !== null) for await (const { tags } of next) tags.join();
  for await (const each of client.events.stream({ after: 7 })) if (each.type === "beat.created") each.data.title.trim();
  // @ts-expect-error: a header is a text.
  await client.beats.get(1, { headers: { "X-Trace": 1 } });
  const [status, delivery]: string[] = [response("getBeat").status, recorded("beat.purchased")];
  console.log(status, delivery);
  // @ts-expect-error: unknown operation.
  response("playBeat");
  // @ts-expect-error: unknown field.
  beat.titel;
  // @ts-expect-error: unknown filter.
  client.beats.list({ genr: 1 });
  // @ts-expect-error: the payment method is required.
  await client.orders.create({ beat_id: 1 });
  // @ts-expect-error: only purchases have an amount.
  event.data.amount;
}
`;

const readme = await readFile(join(folder, "README.md"), "utf8");
const programs = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, source = ""]) => source);

test.for<[extension: string, resolution: string, compiler: string]>([
  ["mts", "nodenext", "typescript"],
  ["cts", "nodenext", "typescript"],
  ["ts", "bundler", "typescript"],
  ["mts", "nodenext", oldest],
])(
  "a strict .%s program compiles against the types with %s and %s, and a wrong one does not",
  async ([extension, resolution, compiler], { skip }) => {
    const tsc = join(folder, "node_modules", compiler, "bin/tsc");
    skip(!existsSync(tsc) && process.env.CI !== "true", `${compiler} is not installed`);
    if (compiler === oldest)
      expect(readme).toContain(`TypeScript ${require(`${oldest}/package.json`).version.replace(/\.\d+$/, "")} or`);
    const sources: Record<string, string> = { [`consumer-${compiler}.${extension}`]: program };
    // The README's programs are checked on the way, as JavaScript.
    for (const [index, source] of extension === "mts" ? programs.entries() : [])
      sources[`checked-${compiler}-${index + 1}.mjs`] = source;
    await Promise.all(Object.entries(sources).map(([name, source]) => writeFile(join(folder, name), source)));
    const flags = [
      "--strict",
      "--exactOptionalPropertyTypes",
      "--allowJs",
      "--checkJs",
      "--noEmit",
      "--target",
      "es2022",
    ];
    const lib = ["--lib", "es2022,dom,dom.iterable", "--typeRoots", "none"];
    const module = resolution === "bundler" ? "esnext" : "nodenext";
    const settings = [...flags, ...lib, "--module", module, "--moduleResolution", resolution];
    await run(process.execPath, [tsc, ...settings, ...Object.keys(sources)], { cwd: folder }).catch(({ stdout }) => {
      throw new Error(stdout);
    });
  },
);
