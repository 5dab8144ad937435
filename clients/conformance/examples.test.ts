import { execFile } from "node:child_process";
import { copyFile, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waveFile } from "./runner/files.ts";
import { isInstalled, type Library, libraries } from "./runner/languages.ts";
import { makeWorkshop, type Outcome, type Workshop } from "./runner/programs.ts";
import { direct, type Service, startService } from "./runner/service.ts";

// Runs the programs of clients/<language>/examples against one server. The receivers run in each client's own tests,
// which install the frameworks that they need.

const clients = fileURLToPath(new URL("../", import.meta.url));
const guide = join(clients, "../docs/mirroring.sh");
const endings = { javascript: "mjs", python: "py", php: "php", ruby: "rb", go: "go" } as const;
// Each Go program has its own folder.
const exampleOf = (language: Library, name: string): string =>
  join(clients, language, "examples", language === "go" ? `${name}/main.go` : `${name}.${endings[language]}`);
const present = libraries
  .filter((language) => isInstalled(language) || process.env.CI === "true")
  .map(({ name }) => name);

let folder: string;
let service: Service;
let apiKey: string;
let sellerKey: string;
/** A beat that was sold twice today, and the day. */
let soldBeat: { id: number; title: string; day: string };
const workshops = new Map<string, Workshop>();

const keyOf = async (email: string): Promise<string> =>
  String((await service.command("keys", "create", "--email", email, "--plan", "internal")).key);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-examples-"));
  service = await startService(folder);
  [apiKey, sellerKey] = [await keyOf("buyer@example.com"), await keyOf("seller@example.com")];
  for (const language of [...present, "curl" as const])
    workshops.set(language, await makeWorkshop(language, await mkdtemp(join(folder, `${language}-`))));
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program with the service's address and a key. */
function execute(
  language: string,
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const workshop = workshops.get(language) as Workshop;
  return workshop.run(name, args, {
    BEATMARKET_API_KEY: apiKey,
    BEATMARKET_BASE_URL: `${service.origin}/v1`,
    BEATMARKET_CA_FILE: service.caFile,
    ...env,
  });
}

/** Copies an example into the folder, then runs it like any other program. */
async function executeExample(language: Library, name: string, args: string[], env = {}): Promise<Outcome> {
  const file = `${name}.${endings[language]}`;
  await copyFile(exampleOf(language, name), join((workshops.get(language) as Workshop).folder, file));
  return await execute(language, file, args, env);
}

interface Beat {
  id: number;
  title: string;
}

/** Every listed beat in its full form, by id. A mirror must equal this. */
async function catalogue(): Promise<Beat[]> {
  const { beats } = await direct<{ beats: Beat[] }>(service, apiKey, "/beats?limit=100");
  const details = await Promise.all(
    beats.map(({ id }) => direct<{ beat: Beat }>(service, apiKey, `/beats/${id}`).then(({ beat }) => beat)),
  );
  return details.sort((a, b) => a.id - b.id);
}

async function readMirror(folder: string): Promise<Beat[]> {
  const files = await readdir(folder);
  const lines = files.find((name) => /^beats-\d+\.ndjson$/.test(name));
  const beats =
    lines !== undefined
      ? (await readFile(join(folder, lines), "utf8")).trimEnd().split("\n")
      : new DatabaseSync(join(folder, "beats.db"), { readOnly: true })
          .prepare("select beat from beats")
          .all()
          .map(({ beat }) => String(beat));
  return beats.map((line) => JSON.parse(line) as Beat).sort((a, b) => a.id - b.id);
}

/** Updates one beat, publishes one, and sells one exclusively. */
async function change(): Promise<void> {
  const map = join(folder, "map.json");
  const first = JSON.parse((await readFile(join(folder, "beats.jsonl"), "utf8")).split("\n")[0] ?? "{}");
  const rows = [
    { ...first, title: "Ein neuer Titel 🎵" },
    { ...first, id: "c-new", title: "Quite new", artist: "Maker new" },
  ];
  const file = join(folder, "more.jsonl");
  await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await service.command("import", file, "--map", map);
  const order = { beat_id: 7, license_type: "exclusive", payment_method: "pm_card_visa" };
  await direct(service, apiKey, "/orders", order);
}

describe("the README's first program", () => {
  test("runs as printed in a clone that has no compiler", async () => {
    const repository = join(clients, "..");
    const clone = join(folder, "clone");
    const isSource = (path: string) => !/\/(dist|node_modules)$/.test(path);
    await cp(join(clients, "javascript"), join(clone, "clients/javascript"), { recursive: true, filter: isSource });
    await copyFile(join(repository, "tsconfig.json"), join(clone, "tsconfig.json"));
    await symlink(join(folder, "data"), join(clone, ".data"));
    await writeFile(join(folder, "data/demo-key"), `${apiKey}\n`);

    const [, section = ""] = (await readFile(join(repository, "README.md"), "utf8")).split("## From a program\n");
    const block = (language: string): string => section.split(`\n\`\`\`${language}\n`)[1]?.split("\n```")[0] ?? "";
    const script = `${block("sh")}\ncat > list.mjs <<'PROGRAM'\n${block("js")}\nPROGRAM\nnode list.mjs`;
    const env = { ...process.env, BEATMARKET_BASE_URL: `${service.origin}/v1` };
    const { stdout } = await promisify(execFile)("sh", ["-e", "-c", script], { cwd: clone, env });

    const { beats } = await direct<{ beats: (Beat & { price: number })[] }>(
      service,
      apiKey,
      "/beats?sort=popular&limit=5",
    );
    expect(stdout.trimEnd().split("\n").slice(-5)).toEqual(beats.map(({ title, price }) => `${title} ${price}`));
  });
});

describe("mirror", () => {
  test("docs/mirroring.md shows these programs", async () => {
    const document = await readFile(join(clients, "../docs/mirroring.md"), "utf8");
    for (const path of [...libraries.map(({ name }) => exampleOf(name, "mirror")), guide])
      expect(document, path).toContain(`\n${await readFile(path, "utf8")}\`\`\`\n`);
  });

  test("equals the catalogue in every language, after an export and again after changes", async () => {
    const expectEqualMirrors = async () => {
      const expected = await catalogue();
      const follow = async (language: string): Promise<Outcome> => {
        if (language === "curl") return execute("curl", guide, [".", "--once"]);
        // The mirrors of Go and of the shell are folders, because neither has a database in its standard library.
        const target = language === "go" ? "." : "beats.db";
        return executeExample(language as Library, "mirror", ["--once", target]);
      };
      const presentLanguages = [...workshops.keys()];
      const outcomes = await Promise.all(presentLanguages.map(follow));
      for (const [index, language] of presentLanguages.entries()) {
        const { status, stdout, stderr } = outcomes[index] as Outcome;
        expect(status, `${language}: ${stderr}`).toBe(0);
        expect(await readMirror((workshops.get(language) as Workshop).folder), language).toEqual(expected);
        expect(stdout, language).toMatch(new RegExp(`^\\s*${expected.length} beats$`, "m"));
      }
      return expected;
    };
    const before = await expectEqualMirrors();
    await change();
    const after = await expectEqualMirrors();
    expect(after).not.toEqual(before);
    expect(after.map(({ id }) => id)).not.toContain(7);
    await expectEqualMirrors();
  });
});

describe("sales_report", () => {
  beforeAll(async () => {
    const file = join(folder, "sold.wav");
    await writeFile(file, waveFile(3, 7));
    const title = "Sold Twice";
    const fields = ["--title", title, "--genre", "Ambient", "--price", "20.50"];
    await service.command("beats", "publish", file, "--email", "seller@example.com", ...fields);
    const { beats } = await direct<{ beats: Beat[] }>(service, apiKey, `/search?q=${encodeURIComponent(title)}`);
    const id = beats[0]?.id ?? 0;
    const order = { beat_id: id, payment_method: "pm_card_visa" };
    for (let count = 0; count < 2; count += 1) await direct(service, apiKey, "/orders", order);
    const { sales } = await direct<{ sales: { completed_at: string }[] }>(service, sellerKey, "/users/me/sales");
    soldBeat = { id, title, day: String(sales[0]?.completed_at).slice(0, 10) };
  });

  test.each(present)("in %s reports days with and without sales, and the same in a second run", async (language) => {
    const env = { BEATMARKET_API_KEY: sellerKey };
    const report = await executeExample(language, "sales_report", [`--day=${soldBeat.day}`], env);
    expect(report.stderr).toBe("");
    expect(report.status).toBe(0);
    const [head = "", ...lines] = report.stdout.trimEnd().split("\n");
    expect(head).toMatch(`Sales of ${soldBeat.day}`);
    const line = lines.find((each) => each.includes(`${soldBeat.title} (${soldBeat.id})`));
    expect(line, report.stdout).toMatch(/^ *2 /);
    expect(line).toMatch(/ 41\.00 USD\b/);
    expect(await executeExample(language, "sales_report", [`--day=${soldBeat.day}`], env)).toEqual(report);
    const emptyReport = await executeExample(language, "sales_report", ["--day=2020-01-01"], env);
    expect([emptyReport.status, emptyReport.stderr]).toEqual([0, ""]);
    expect(emptyReport.stdout).toMatch(/^Sales of 2020-01-01.*\n(none|nothing)/);
  });
});

describe("mixing", () => {
  test.each(present)("in %s finds three beats of a similar tempo", async (language) => {
    const { stdout, stderr } = await executeExample(language, "mixing", ["1"]);
    const [playing = "", ...mixing] = stdout.trimEnd().split("\n");
    const bpmOf = (line: string) => Number(/ (\d+) bpm/.exec(line)?.[1]);
    expect(mixing, stderr).toHaveLength(3);
    for (const line of mixing) expect(Math.abs(bpmOf(line) / bpmOf(playing) - 1)).toBeLessThanOrEqual(0.04);
  });
});

// A nightly job reports a failure by its exit status and by one line with the reason.
test.each(present)("mixing and sales_report in %s report an error in one line", async (language) => {
  for (const [name, args] of [
    ["mixing", ["1"]],
    ["sales_report", ["--day=2020-01-01"]],
  ] as const) {
    const refused = await executeExample(language, name, [...args], { BEATMARKET_API_KEY: "bm_nobodys" });
    expect([refused.status, refused.stdout], name).toEqual([1, ""]);
    expect(refused.stderr, name).toMatch(/^[^\n]*401[^\n]*\n$/);
  }
  const invalidDay = await executeExample(language, "sales_report", ["--day=soon"]);
  expect([invalidDay.status, invalidDay.stdout]).toEqual([2, ""]);
  expect(invalidDay.stderr).toMatch(/^[^\n]+\n$/);
});
