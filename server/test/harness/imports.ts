import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { openFileBytes } from "@beatmarket/tabular-files/file-bytes.ts";
import { rejectsFile, repairsFile } from "@beatmarket/tabular-files/report-file.ts";
import { onTestFinished } from "vitest";
import {
  type ImportOutcome,
  type ImportRequest,
  importCatalogue,
} from "../../src/resources/catalogue-import/import-catalogue.ts";
import { readMapping } from "../../src/resources/catalogue-import/mapping.ts";
import type { TestDatabase } from "./database/driver.ts";

/** A value of the repairs file. */
export interface Replacement {
  line: number;
  field: string;
  problem: string;
  given: string;
  taken: unknown;
}

/** A row of the rejects file. */
export interface Reject {
  line: number;
  reason: string;
  row: string;
}

export interface ImportTrial extends Partial<Pick<ImportRequest, "batchSize" | "signal" | "onProgress" | "clock">> {
  /** The content of MAP.json. By default columns are named like their fields. */
  mapping?: unknown;
  /** The name of the file. */
  name?: string;
  /** The content of the joined files, by name. */
  joined?: Record<string, string>;
}

/** A mapping in which columns have the names of their fields. */
export const plainMapping = {
  source: "test",
  fields: {
    external_id: "external_id",
    title: "title",
    producer: "producer",
    genre: "genre",
    tempo: "tempo",
    key: "key",
  },
};

/** `plainMapping` with additional fields. */
export const mapped = (fields: object) => ({ ...plainMapping, fields: { ...plainMapping.fields, ...fields } });

/** The header line of a file for `plainMapping`. */
export const plainHeader = "external_id,title,producer,genre,tempo,key\n";

/** The beats with the names of producer and genre, oldest first. */
export const importedBeats = ({ driver }: TestDatabase) => driver`
  select b.*, u.display_name as producer, g.name as genre from beats b
  join users u on u.id = b.user_id join genres g on g.id = b.genre_id order by b.id`;

/** Removes everything that imports have added. */
export const clearCatalogue = ({ driver }: TestDatabase) =>
  driver`truncate beats, genres, users, producer_counts cascade`;

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-import-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Imports a file with this content. */
export async function importContent(
  database: TestDatabase,
  content: string | Buffer,
  trial: ImportTrial = {},
): Promise<ImportOutcome & { rejects: Reject[]; replaced: Replacement[] }> {
  const path = join(await temporaryFolder(), trial.name ?? "beats.csv");
  await writeFile(path, content);
  return importFile(database, path, trial);
}

export async function importFile(
  database: TestDatabase,
  path: string,
  { mapping = plainMapping, name, joined = {}, ...rest }: ImportTrial = {},
): Promise<ImportOutcome & { rejects: Reject[]; replaced: Replacement[] }> {
  const folder = await temporaryFolder();
  const rejects = rejectsFile(path, join(folder, "rejects.jsonl"));
  const repairs = repairsFile(path, join(folder, "repairs.jsonl"));
  for (const [file, content] of Object.entries(joined)) await writeFile(join(folder, file), content);
  const file = await openFileBytes(path);
  try {
    const outcome = await importCatalogue(database, {
      file: { ...file, name: name ?? path },
      mapping: readMapping(JSON.stringify(mapping), "the mapping"),
      openJoined: (joinedName) => openFileBytes(join(folder, joinedName)),
      rejects,
      repairs,
      clock: new FakeClock(),
      ...rest,
    });
    return { ...outcome, rejects: await jsonLines(rejects.path), replaced: await jsonLines(repairs.path) };
  } finally {
    await rejects.close();
    await repairs.close();
    file.close();
  }
}

async function jsonLines<Line>(path: string | null): Promise<Line[]> {
  const text = path === null ? "" : await readFile(path, "utf8");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** The catalogue without the ids, which differ between runs. */
export async function catalogueOf({ driver }: TestDatabase): Promise<readonly object[]> {
  return driver<object[]>`
    select b.source, b.external_id, b.title, b.tempo, b.key, b.key_code, b.duration_seconds, b.price_cents,
           b.premium_price_cents, b.popularity, b.play_count, b.tags, b.created_at, u.username,
           u.display_name, u.import_name, u.is_producer, g.name as genre, g.slug, g.beats_count as of_genre,
           c.beats_count as of_producer, c.play_count as plays_of_producer, c.popularity_key
    from beats b
    join users u on u.id = b.user_id
    join genres g on g.id = b.genre_id
    join producer_counts c on c.user_id = u.id
    order by b.source, b.external_id`;
}
