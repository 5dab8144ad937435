import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { escapeIdentifier } from "pg";
import { databaseUrl, withDatabase } from "../database.ts";
import { beatmarket, serve } from "../programs.ts";
import type { Progress } from "../progress.ts";
import { writeCatalogue } from "./write-catalogue.ts";

const loadingPort = 18_447;
const settledAfterSeconds = 20;
const root = fileURLToPath(new URL("../../../", import.meta.url));

interface KeptCatalogue {
  /** URL of a database on the server that keeps catalogues. */
  serverUrl: string;
  /** Where the catalogue's file is written before it is imported. */
  folder: string;
  realFile: string;
  beats: number;
  say(text: string): void;
  progress(what: string, total: number): Progress;
}

/**
 * The name of a database with so many beats, imported when there is none yet. It is kept for the next run, and made anew
 * when the migrations or what makes the catalogue have changed.
 */
export async function keptCatalogue(catalogue: KeptCatalogue): Promise<string> {
  const { serverUrl, beats, folder, say } = catalogue;
  const prefix = `catalogue_${beats}_`;
  const name = `${prefix}${await fingerprint(catalogue.realFile)}`;
  return withDatabase(databaseUrl(serverUrl, "postgres"), async (client) => {
    const { rows } = await client.query<{ datname: string }>("select datname from pg_database");
    const names = rows.map(({ datname }) => datname);
    if (names.includes(name)) return name;
    for (const stale of names.filter((each) => each.startsWith(prefix) || each.startsWith("loading_")))
      await client.query(`drop database ${escapeIdentifier(stale)} with (force)`);

    // One that is interrupted is not taken for a whole one.
    const loading = `loading_${beats}`;
    await client.query(`create database ${escapeIdentifier(loading)}`);
    await mkdir(folder, { recursive: true });
    const files = await writeImport(catalogue, beats);
    say(`importing ${beats.toLocaleString("en")} rows; the next run finds them …`);
    const env = { DATABASE_URL: databaseUrl(serverUrl, loading), DATA_DIR: folder };
    const result = await beatmarket(["import", files.catalogue, "--map", files.mapping, "--json"], env);
    const { created } = JSON.parse(result) as { created: number };
    if (created !== beats) throw new Error(`Of ${beats} rows ${created} became beats: ${result}`);
    await rm(files.catalogue);
    await keepSearchTotals(env, catalogue);
    await client.query(`alter database ${escapeIdentifier(loading)} rename to ${escapeIdentifier(name)}`);
    return name;
  });
}

/** Lets a server run on it until it has counted the common words, as one that has served for a few minutes has. */
async function keepSearchTotals(env: Record<string, string>, { say }: Pick<KeptCatalogue, "say">): Promise<void> {
  say("counting common words …");
  const server = await serve({ ...env, PORT: String(loadingPort), DEMO: "off", LOG_LEVEL: "fatal" });
  try {
    await withDatabase(env.DATABASE_URL ?? "", async (client) => {
      let kept = -1;
      for (let unchangedSeconds = 0; unchangedSeconds < settledAfterSeconds; unchangedSeconds++) {
        const { rows } = await client.query<{ count: number }>("select count(*)::integer as count from search_totals");
        const count = rows[0]?.count ?? 0;
        if (count !== kept) unchangedSeconds = 0;
        kept = count;
        await sleep(1_000);
      }
    });
  } finally {
    await server.stop();
  }
}

/** Writes a generated catalogue, and the mapping that reads it. */
export async function writeImport(
  { folder, realFile, progress }: Pick<KeptCatalogue, "folder" | "realFile" | "progress">,
  rows: number,
  firstRound = 0,
): Promise<{ catalogue: string; mapping: string }> {
  const files = { catalogue: join(folder, "catalogue.csv"), mapping: join(folder, "mapping.json") };
  const writing = progress("writing the catalogue", rows);
  await writeCatalogue(files.catalogue, { realFile, rows, firstRound }, writing.at);
  writing.end();
  const shipped = JSON.parse(await readFile(join(root, "mappings/tracks_231k.json"), "utf8"));
  await writeFile(files.mapping, JSON.stringify({ ...shipped, prices: { column: "price" } }));
  return files;
}

/** Of everything that decides what stands in the database. */
async function fingerprint(realFile: string): Promise<string> {
  const hash = createHash("sha256").update(String((await stat(realFile)).size));
  for (const folder of ["database/migrations", "bench/src/catalogue", "mappings"])
    for (const file of (await readdir(join(root, folder))).filter((name) => !name.endsWith(".test.ts")).sort())
      hash.update(await readFile(join(root, folder, file)));
  hash.update(await readFile(join(root, "server/src/search-words.ts")));
  return hash.digest("hex").slice(0, 12);
}
