import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isThere, languages } from "./runner/languages.ts";
import { direct, type Service, startService } from "./runner/service.ts";

// The programs of docs/mirroring.md, each with a mirror of its own, of one server.

const run = promisify(execFile);
const clients = fileURLToPath(new URL("../", import.meta.url));
const guide = join(clients, "../docs/mirroring.sh");

let folder: string;
let service: Service;
let apiKey: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-mirrors-"));
  service = await startService(folder);
  apiKey = String((await service.command("keys", "create", "--email", "m@example.com", "--plan", "internal")).key);
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** How each program is started, in a folder of its own. */
const programs: Record<string, (its: string) => Promise<{ command: string[]; env?: object }>> = {
  javascript: async (its) => {
    await mkdir(join(its, "node_modules"));
    await symlink(join(clients, "javascript"), join(its, "node_modules/beatmarket"));
    await writeFile(join(its, "mirror.mjs"), await readFile(join(clients, "javascript/examples/mirror.mjs")));
    return { command: [process.execPath, "mirror.mjs", "beats.db", "--once"] };
  },
  python: async () => ({
    command: ["python3", join(clients, "python/examples/mirror.py"), "beats.db", "--once"],
    env: { PYTHONPATH: join(clients, "python/src") },
  }),
  php: async (its) => {
    await mkdir(join(its, "vendor"));
    await writeFile(join(its, "vendor/autoload.php"), `<?php require '${join(clients, "php/autoload.php")}';\n`);
    return { command: ["php", join(clients, "php/examples/mirror.php"), "--once", "beats.db"] };
  },
  ruby: async () => ({
    command: ["ruby", "-I", join(clients, "ruby/lib"), join(clients, "ruby/examples/mirror.rb"), "--once", "beats.db"],
  }),
  curl: async () => ({ command: ["sh", guide, ".", "--once"] }),
};

interface Beat {
  id: number;
  title: string;
}

/** Every listed beat in its full form, by id: what a mirror must be. */
async function catalogue(): Promise<Beat[]> {
  const { beats } = await direct<{ beats: Beat[] }>(service, apiKey, "/beats?limit=100");
  const details = await Promise.all(
    beats.map(({ id }) => direct<{ beat: Beat }>(service, apiKey, `/beats/${id}`).then(({ beat }) => beat)),
  );
  return details.sort((a, b) => a.id - b.id);
}

async function mirrored(its: string): Promise<Beat[]> {
  const files = await readdir(its);
  const lines = files.find((name) => /^beats-\d+\.ndjson$/.test(name));
  const beats =
    lines !== undefined
      ? (await readFile(join(its, lines), "utf8")).trimEnd().split("\n")
      : new DatabaseSync(join(its, "beats.db"), { readOnly: true })
          .prepare("select beat from beats")
          .all()
          .map(({ beat }) => String(beat));
  return beats.map((line) => JSON.parse(line) as Beat).sort((a, b) => a.id - b.id);
}

/** A beat is published, one is updated, one sold and one withdrawn. */
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
  const buyer = { beat_id: 7, license_type: "exclusive", payment_method: "pm_card_visa" };
  await direct(service, apiKey, "/orders", buyer);
}

test("docs/mirroring.md shows these programs", async () => {
  const shown = await readFile(join(clients, "../docs/mirroring.md"), "utf8");
  const examples = ["javascript/examples/mirror.mjs", "python/examples/mirror.py", "php/examples/mirror.php"];
  for (const path of [...examples, "ruby/examples/mirror.rb", "../docs/mirroring.sh"])
    expect(shown, path).toContain(`\n${await readFile(join(clients, path), "utf8")}\`\`\`\n`);
});

describe("a mirror", () => {
  const started: { language: string; its: string; follow: () => Promise<string> }[] = [];

  test("made of an export equals the catalogue in every language, and again after changes", async () => {
    for (const [language, prepare] of Object.entries(programs)) {
      const client = languages.find(({ name }) => name === language);
      if (client !== undefined && !isThere(client) && process.env.CI !== "true") continue;
      const its = await mkdtemp(join(folder, `${language}-`));
      const { command, env: more } = await prepare(its);
      const [program = "", ...args] = command;
      const env = {
        ...((await client?.prepare()) ?? process.env),
        ...more,
        BEATMARKET_API_KEY: apiKey,
        BEATMARKET_BASE_URL: `${service.origin}/v1`,
        BEATMARKET_CA_FILE: service.caFile,
      };
      started.push({ language, its, follow: async () => (await run(program, args, { cwd: its, env })).stdout });
    }
    const equal = async () => {
      const wanted = await catalogue();
      const said = await Promise.all(started.map(({ follow }) => follow()));
      for (const [index, { language, its }] of started.entries()) {
        expect(await mirrored(its), language).toEqual(wanted);
        expect(said[index], language).toMatch(new RegExp(`^\\s*${wanted.length} beats$`, "m"));
      }
      return wanted;
    };
    const before = await equal();
    await change();
    const after = await equal();
    expect(after).not.toEqual(before);
    expect(after.map(({ id }) => id)).not.toContain(7);
    await equal();
  }, 120_000);
});
