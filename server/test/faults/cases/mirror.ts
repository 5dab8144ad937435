import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { copyFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { Fault } from "../fault.ts";
import { writeCatalogue } from "../stage/catalogue-writes.ts";
import { Client } from "../stage/client.ts";
import { hasEnded, makeBeats, makeKey, type Program, type Stage } from "../stage/stage.ts";

const run = promisify(execFile);
const javascript = fileURLToPath(new URL("../../../../clients/javascript/", import.meta.url));

const kills = { whole: 200, short: 6 };
const beatCount = 300;
const writers = 3;
/** One in this many kills also deletes the mirror's file, so that the mirror starts with an export. */
const freshStartOneIn = 4;

export const mirror: Fault = {
  name: "mirror",
  about: "a mirror of one export and the changes, under writes and 200 kills of server, PostgreSQL and mirror",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    await makeBeats(db, beatCount);
    const key = await makeKey(db, "mirror@example.com");
    const serve = () => stage.serve(0, stage.databaseUrl(postgres));
    let server: Program = serve();
    await server.ready;
    const copy = await MirrorProgram.prepare(stage, server, key);
    copy.start();

    const counts = { written: 0, failed: 0 };
    const stopping = new AbortController();
    const writing = Array.from({ length: writers }, () => writeCatalogue(db, beatCount, stopping.signal, counts));
    const killed = { server: 0, postgres: 0, mirror: 0 };
    for (let kill = 0; kill < kills[extent]; kill++) {
      // A process that is still starting may be killed, too.
      await sleep(randomInt(900));
      const victim = (["server", "postgres", "mirror"] as const)[randomInt(3)] ?? "server";
      killed[victim]++;
      if (victim === "server") {
        server.child.kill("SIGKILL");
        await server.ended;
        server = serve();
      } else if (victim === "postgres") {
        await postgres.kill();
        await postgres.start();
      } else {
        await copy.kill();
        if (randomInt(freshStartOneIn) === 0) await copy.forget();
        copy.start();
      }
      // A server ends if it finds no PostgreSQL at its start. A mirror ends if it finds no server, or if its export
      // breaks. Then an operator starts the program again.
      if (hasEnded(server)) server = serve();
      if (copy.hasEnded) copy.start();
      if ((kill + 1) % 20 === 0) report.progress(`${kill + 1} of ${kills[extent]} kills, ${counts.written} writes`);
    }
    stopping.abort();
    await Promise.all(writing);
    if (hasEnded(server)) server = serve();
    // A server that starts while PostgreSQL is unreachable ends.
    if (!(await isReady(server))) server = serve();
    await server.ready;
    await copy.kill();
    await copy.finish();

    report.check(
      "kills",
      true,
      Object.entries(killed)
        .map(([victim, count]) => `${victim} × ${count}`)
        .join(", "),
    );
    report.check(
      "writes meanwhile",
      counts.written > 0,
      `${counts.written}, and ${counts.failed} while PostgreSQL was away`,
    );
    await compare(db, new Client(server.address, key, 8), copy, report);
  },
};

const isReady = ({ ready }: Program): Promise<boolean> =>
  ready.then(
    () => true,
    () => false,
  );

/** Checks that the mirror equals the listed beats, each as GET /beats/{id} returns it. */
async function compare(db: TestDatabase, client: Client, copy: MirrorProgram, report: Report): Promise<void> {
  const listedBeats = await db.driver<{ id: number }[]>`select id from beats where is_listed order by id`;
  const mirrored = copy.beats();
  const differing: string[] = [];
  for (const { id } of listedBeats) {
    const beat = JSON.stringify(JSON.parse((await client.get(`/beats/${id}`)).body).data.beat);
    const row = mirrored.get(id);
    if (row === undefined) differing.push(`beat ${id} is missing`);
    else if (row !== beat) differing.push(`beat ${id} is ${row}, not ${beat}`);
    mirrored.delete(id);
  }
  for (const id of mirrored.keys()) differing.push(`beat ${id} is no longer listed`);
  report.check(
    "the mirror equals the catalogue, row for row",
    differing.length === 0,
    differing.length === 0 ? `${listedBeats.length} beats` : differing.slice(0, 3).join("; "),
  );
  await client.close();
}

/** The mirror program of docs/mirroring.md for JavaScript, in a separate process. */
class MirrorProgram {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#env = env;
  }

  static async prepare(stage: Stage, server: Program, key: string): Promise<MirrorProgram> {
    await run(process.execPath, [join(javascript, "tools/build.mjs")]);
    const folder = join(stage.folder, "mirror");
    await mkdir(join(folder, "node_modules"), { recursive: true });
    await symlink(javascript, join(folder, "node_modules/beatmarket"));
    await copyFile(join(javascript, "examples/mirror.mjs"), join(folder, "mirror.mjs"));
    const caFile = join(folder, "ca.pem");
    await writeFile(caFile, server.address.ca);
    const program = new MirrorProgram(folder, {
      ...process.env,
      BEATMARKET_API_KEY: key,
      BEATMARKET_BASE_URL: `${server.address.origin}/v1`,
      BEATMARKET_CA_FILE: caFile,
    });
    stage.onClose(() => program.kill());
    return program;
  }

  get hasEnded(): boolean {
    return this.#child === null || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  start(): void {
    this.#child = spawn(process.execPath, ["mirror.mjs", "beats.db"], {
      cwd: this.#folder,
      env: this.#env,
      stdio: "ignore",
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || this.hasEnded) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** Deletes the mirror, so that the next start begins with an export. */
  async forget(): Promise<void> {
    for (const file of ["beats.db", "beats.db-wal", "beats.db-shm"])
      await rm(join(this.#folder, file), { force: true });
  }

  /** Runs until no change is waiting. */
  async finish(): Promise<void> {
    await run(process.execPath, ["mirror.mjs", "beats.db", "--once"], { cwd: this.#folder, env: this.#env });
  }

  /** The beats of the mirror, as JSON by id. */
  beats(): Map<number, string> {
    const db = new DatabaseSync(join(this.#folder, "beats.db"), { readOnly: true });
    const rows = db.prepare("select id, beat from beats").all() as { id: number; beat: string }[];
    db.close();
    return new Map(rows.map(({ id, beat }) => [id, beat]));
  }
}
