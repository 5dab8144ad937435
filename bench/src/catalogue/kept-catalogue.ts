import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { escapeIdentifier } from "pg";
import { databaseUrl, withDatabase } from "../processes/database.ts";
import { beatmarket } from "../processes/programs.ts";
import type { Progress } from "../report/progress.ts";
import { type CatalogueSource, writeCatalogue } from "./write-catalogue.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface KeptCatalogue {
  /** URL of a database on the server that stores the catalogues between runs. */
  serverUrl: string;
  /** The folder for the file of the catalogue, which is written before the import. */
  folder: string;
  source: CatalogueSource;
  beats: number;
  say(text: string): void;
  progress(task: string, total: number): Progress;
}

/**
 * Returns the name of a database with this number of beats, and imports it if it is missing. The database remains for
 * the next run. It is replaced if the migrations, the mappings, the source or the code of the source have changed.
 */
export async function keptCatalogue(catalogue: KeptCatalogue): Promise<string> {
  const { serverUrl, beats, folder, say } = catalogue;
  const prefix = `catalogue_${beats}_`;
  const name = `${prefix}${await fingerprint(catalogue.source)}`;
  return withDatabase(databaseUrl(serverUrl, "postgres"), async (client) => {
    const { rows } = await client.query<{ datname: string }>("select datname from pg_database");
    const names = rows.map(({ datname }) => datname);
    if (names.includes(name)) return name;
    for (const stale of names.filter((each) => each.startsWith(prefix) || each.startsWith("loading_")))
      await client.query(`drop database ${escapeIdentifier(stale)} with (force)`);

    // An interrupted import leaves no database under the final name.
    const loading = `loading_${beats}`;
    await client.query(`create database ${escapeIdentifier(loading)}`);
    await mkdir(folder, { recursive: true });
    const files = await writeImport(catalogue, beats);
    say(`importing ${beats.toLocaleString("en")} rows; kept for the next run …`);
    const env = { DATABASE_URL: databaseUrl(serverUrl, loading), DATA_DIR: folder };
    const result = await beatmarket(["import", files.catalogue, "--map", files.mapping, "--json"], env);
    const { created } = JSON.parse(result) as { created: number };
    if (created !== beats) throw new Error(`The import created ${created} beats from ${beats} rows: ${result}`);
    await rm(files.catalogue);
    await client.query(`alter database ${escapeIdentifier(loading)} rename to ${escapeIdentifier(name)}`);
    return name;
  });
}

/** Writes a catalogue file with this number of rows, and the mapping for its import. */
export async function writeImport(
  { folder, source, progress }: Pick<KeptCatalogue, "folder" | "source" | "progress">,
  rows: number,
  edition = 0,
): Promise<{ catalogue: string; mapping: string }> {
  const files = { catalogue: join(folder, "catalogue.csv"), mapping: join(folder, "mapping.json") };
  const writing = progress("writing the catalogue", rows);
  await writeCatalogue(files.catalogue, { source, rows, edition }, writing.at);
  writing.end();
  const sourceMapping = JSON.parse(await readFile(join(root, "mappings/tracks_231k.json"), "utf8"));
  await writeFile(files.mapping, JSON.stringify({ ...sourceMapping, prices: { column: "price" } }));
  return files;
}

/** A hash of the seed (or of a real file's size), the migrations, the code of the source, and the mappings. */
async function fingerprint(source: CatalogueSource): Promise<string> {
  const version = "seed" in source ? source.seed : (await stat(source.realFile)).size;
  const hash = createHash("sha256").update(String(version));
  const sourceFolder = "seed" in source ? "bench/src/catalogue/seeded" : "bench/src/catalogue/real";
  for (const folder of ["database/migrations", sourceFolder, "mappings"])
    for (const file of (await readdir(join(root, folder))).filter((name) => !name.endsWith(".test.ts")).sort())
      hash.update(await readFile(join(root, folder, file)));
  hash.update(await readFile(join(root, "bench/src/catalogue/write-catalogue.ts")));
  return hash.digest("hex").slice(0, 12);
}
