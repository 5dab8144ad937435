import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { wav } from "@beatmarket/audio/testing/audio-files.ts";
import { beat, signal, sine } from "@beatmarket/audio/testing/signals.ts";
import { claimStorage } from "@beatmarket/storage/claim-storage.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { runHere } from "../../../test/harness/command.ts";
import { openTestDatabase, testDatabaseUrl } from "../../../test/harness/database/database.ts";
import { findAccount } from "../../resources/users/accounts.ts";
import { beatsCommand } from "./beats.ts";

/** Unless `areReal` is set, tasks are faked, since real tasks take seconds. */
const tasks = vi.hoisted(() => ({ areReal: false }));
vi.mock(import("@beatmarket/audio/run-media-task.ts"), async (load) => {
  const real = await load();
  const runMediaTask: typeof real.runMediaTask = async (task, options) => {
    if (tasks.areReal) return real.runMediaTask(task, options);
    const names = task.kind === "analyse" ? ["waveform.json", "waveform-detail.json"] : ["preview.mp3"];
    for (const name of names) await writeFile(join(task.outDir, name), name);
    const { size } = await stat(task.input);
    const bpm = size > 100_000 ? { value: 140, confidence: 1, alternative: 70 } : null;
    return {
      format: "wav",
      sampleRate: 22_050,
      channels: 1,
      durationSeconds: 4,
      bpm,
      key: null,
      clippedSamples: 0,
      loudness: { integratedLufs: -9, truePeakDbtp: -1 },
      silence: { startSeconds: 0, endSeconds: 0 },
    } as never;
  };
  return { ...real, runMediaTask };
});

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver, query } = database;
const folder = await mkdtemp(join(tmpdir(), "beatmarket-publish-"));
afterAll(() => rm(folder, { recursive: true }));
const album = join(folder, "album");
let objects = "";
let storages = 0;
const pathOf = (name: string) => join(album, name);

beforeAll(async () => {
  await mkdir(album);
  await writeFile(pathOf("dusk.wav"), wav(beat(4, { sampleRate: 22_050, channels: 1 })));
  await writeFile(pathOf("copy-of-dusk.wav"), wav(beat(4, { sampleRate: 22_050, channels: 1 })));
  await writeFile(pathOf("dawn.wav"), wav(signal({ seconds: 2, sampleRate: 8_000, channels: 1 }, sine(220, -6))));
  await writeFile(pathOf("notes.txt"), "not a recording");
  await writeFile(pathOf("empty.wav"), "");
});

beforeEach(async () => {
  objects = join(folder, `objects-${storages++}`);
  tasks.areReal = false;
  await driver`truncate uploads, users, genres, events, media_jobs, storage_identity, stored_objects cascade`;
  await driver`insert into genres (name, slug) values ('Trap', 'trap'), ('House', 'house')`;
  await claimStorage(query, new FolderStorage(objects), { mayReplace: false });
});

const publish = (...args: string[]) =>
  runHere(beatsCommand, ["beats", "publish", ...args], {
    DATABASE_URL: url,
    DATA_DIR: join(folder, "data"),
    STORAGE_URL: pathToFileURL(objects).href,
  });
const dusk = ["--email", "ana@example.com", "--title", "Dusk", "--genre", "trap", "--price", "29.90", "--bpm", "120"];
const publishDusk = (...more: string[]) => publish(pathOf("dusk.wav"), ...dusk, ...more);
const titles = async (text: string): Promise<string[]> => {
  await writeFile(pathOf("titles.csv"), text);
  return [album, "--csv", "titles.csv", "--email", "ana@example.com", "--json"];
};
const beatsInDatabase = () =>
  driver`
    select title, is_listed as listed, tempo, price_cents as cents, tags, audio_url is not null as heard, stage
    from beats join beat_productions on beat_id = beats.id order by title`;
const eventTypes = async () => (await driver`select type from events order by type`).map(({ type }) => type);
/** The events of a new account's first beat, which makes the account a producer. */
const publishingEvents = ["beat.created", "upload.ready", "user.registered", "user.updated"];

describe("a file", () => {
  test("becomes a beat on sale of a new account, with its preview and event", async () => {
    tasks.areReal = true;
    const { out, errors, status } = await publishDusk("--tags", "warm, night", "--premium", "49", "--json");
    expect([errors, status]).toEqual(["", 0]);
    const [result, ...others] = JSON.parse(out);
    expect(others).toEqual([]);
    expect(result).toEqual({
      line: null,
      file: pathOf("dusk.wav"),
      beat_id: expect.any(Number),
      status: "published",
      is_new: true,
      error: null,
    });
    expect(await beatsInDatabase()).toEqual([
      { title: "Dusk", listed: true, tempo: 120, cents: 2990, tags: ["warm", "night"], heard: true, stage: "released" },
    ]);
    expect(await findAccount(query, "ana@example.com")).not.toBeNull();
    expect(await eventTypes()).toEqual(publishingEvents);
    const files = await driver`select name from beat_files where beat_id = ${result.beat_id} order by name`;
    expect(files.map(({ name }) => name)).toEqual(["master", "preview", "waveform", "waveform-detail"]);
  });

  test("that the account has is not published twice, under any name", async () => {
    const [first] = JSON.parse((await publishDusk("--json")).out);
    const again = await publishDusk();
    expect([again.errors, again.status]).toEqual(["", 0]);
    expect(again.out).toMatch(/dusk\.wav +\d+ +published +existed already/);
    const [other] = JSON.parse((await publish(pathOf("copy-of-dusk.wav"), ...dusk, "--json")).out);
    expect(other).toMatchObject({ beat_id: first.beat_id, is_new: false, status: "published" });
    expect(await beatsInDatabase()).toHaveLength(1);
    expect(await eventTypes()).toEqual(publishingEvents);
  });

  test("is a draft on request, and the same command without the option publishes the draft", async () => {
    const [draft] = JSON.parse((await publishDusk("--draft", "--json")).out);
    expect(draft).toMatchObject({ status: "draft", is_new: true, error: null });
    expect(await eventTypes()).toEqual(["upload.ready", "user.registered"]);
    const [published] = JSON.parse((await publishDusk("--json")).out);
    expect(published).toMatchObject({ beat_id: draft.beat_id, status: "published", is_new: false });
    expect(await eventTypes()).toEqual(publishingEvents);
  });

  test("that its producer has withdrawn stays withdrawn", async () => {
    await publishDusk("--draft");
    await driver`update beat_productions set stage = 'released', published_at = now()`;
    expect(JSON.parse((await publishDusk("--json")).out)).toMatchObject([{ status: "withdrawn", is_new: false }]);
  });

  test("that another account has published is refused", async () => {
    await publishDusk();
    const { out, errors, status } = await publish(pathOf("copy-of-dusk.wav"), ...dusk, "--email", "bo@example.com");
    expect([out, status]).toEqual(["", 1]);
    expect(errors).toMatch(/^error: .*copy-of-dusk\.wav: Another producer has published this very recording/);
    expect(await beatsInDatabase()).toHaveLength(1);
  });

  test("whose tempo cannot be determined is reported with the field to set", async () => {
    const args = ["--email", "ana@example.com", "--title", "Dawn", "--genre", "House", "--price", "9"];
    const { errors, status } = await publish(pathOf("dawn.wav"), ...args);
    expect(status).toBe(1);
    expect(errors).toMatch(/dawn\.wav: .*bpm/i);
  });

  test.each([
    [["nowhere.wav", ...dusk], "There is no file or folder nowhere.wav."],
    [[pathOf("dusk.wav"), ...dusk, "--price", "cheap"], 'The price field must be a number. Given: "cheap".'],
    [[pathOf("dusk.wav"), ...dusk.slice(0, 2), "--genre", "Trap"], "The fields title, price are required."],
    [
      [pathOf("dusk.wav"), ...dusk, "--csv", "titles.csv"],
      `--csv is for folders; ${pathOf("dusk.wav")} is a file. Leave it out.`,
    ],
    [[album, "--email", "ana@example.com"], `${album} is a folder; name the CSV file of its beats with --csv.`],
  ])("is refused before anything is created: %j", async (args, why) => {
    const { out, errors, status } = await publish(...args);
    expect([out, status]).toEqual(["", 1]);
    expect(errors.replace("title and price", "title, price")).toBe(`error: ${why}\n`);
    expect(await driver`select id from users`).toEqual([]);
  });

  test.each([
    ["empty.wav", [], "The file is empty."],
    ["notes.txt", [], "export WAV, FLAC or MP3"],
    ["dusk.wav", ["--genre", "Trab"], "Did you mean Trap?"],
    ["dusk.wav", ["--key", "H flat"], "The key field is not a musical key"],
    ["dusk.wav", ["--cover", "/nonexistent.png"], "There is no file /nonexistent.png."],
  ])("that is invalid creates no beat and is reported with the reason: %s %j", async (name, more, why) => {
    tasks.areReal = true;
    const { errors, status } = await publish(pathOf(name), ...dusk, ...more);
    expect(errors.toLowerCase()).toContain(why.toLowerCase());
    expect(status).toBe(1);
    expect(await beatsInDatabase()).toEqual([]);
    expect(await driver`select id from uploads`).toEqual([]);
  });
});

describe("a folder", () => {
  test("has a beat for each valid row; the others are reported with their lines", async () => {
    const args = await titles(
      "file,title,genre,price,bpm,tags\r\n" +
        `dusk.wav,"Dusk, late",Trap,29.90,120,"warm;night"\r\n` +
        `gone.wav,Gone,Trap,10,,\r\n` +
        `dawn.wav,Dawn,Trab,10,90,\r\n` +
        `../secret.wav,Secret,Trap,10,,\r\n` +
        `dusk.wav,Short\r\n` +
        `dawn.wav,Dawn,House,,90,\r\n`,
    );
    const { out, errors, status } = await publish(...args, "--price", "12");
    expect(status).toBe(1);
    const results = JSON.parse(out) as { line: number; status: string | null; error: string | null }[];
    expect(results.map(({ line, status: outcome }) => [line, outcome])).toEqual([
      [2, "published"],
      [3, null],
      [4, null],
      [5, null],
      [6, null],
      [7, "published"],
    ]);
    expect(errors).toContain(`error: line 3, gone.wav: There is no file ${pathOf("gone.wav")}.\n`);
    expect(errors).toContain("error: line 4, dawn.wav: The genre field names no genre");
    expect(errors).toContain(`error: line 5, ../secret.wav: ../secret.wav is not in the folder ${album}.\n`);
    expect(errors).toContain("error: line 6, dusk.wav: The row has 2 columns, the header has 6.\n");
    expect(await beatsInDatabase()).toMatchObject([
      { title: "Dawn", cents: 1200, listed: true },
      { title: "Dusk, late", cents: 2990, tags: ["warm", "night"], listed: true },
    ]);
  });

  test("accepts file names in composed or decomposed letters, and suggests a similar name", async () => {
    const wave = wav(beat(4, { sampleRate: 22_050, channels: 1 }));
    const decomposed = "Ramo\u0301n.wav";
    await writeFile(pathOf(decomposed), Buffer.concat([wave, Buffer.from("LIST\x04\0\0\0ramo")]));
    const args = await titles(
      'file,title,genre,price,bpm\nRam\u00f3n.wav,Ramón,Trap,"29,90",120\ndsuk.wav,Dusk,Trap,9,90\ndawn,Dawn,Trap,9,90\n',
    );
    const { out, errors } = await publish(...args);
    expect(JSON.parse(out)[0]).toMatchObject({ status: "published", error: null });
    expect(errors).toContain(`There is no file ${pathOf("dsuk.wav")}. Did you mean dusk.wav?`);
    expect(errors).toContain(`There is no file ${pathOf("dawn")}. Did you mean dawn.wav?`);
    expect(await beatsInDatabase()).toMatchObject([{ title: "Ramón", cents: 2990 }]);
    await rm(pathOf(decomposed));
  });

  test.each([
    [
      "1,299",
      "The price field is ambiguous: its separator may mean thousands or decimals. Write 1299.00 or 1.29. Given: ",
    ],
    ["-5", "The price field is below 0. Given: "],
    ["free", "The price field must be a number. Given: "],
    ["1,234.50", null],
    ["19.989999771118164", null],
  ])("accepts prices only in the notation of imports: %s", async (price, error) => {
    const { errors } = await publish(
      ...(await titles(`sep=;\nfile;title;genre;price;bpm\ndusk.wav;Dusk;Trap;"${price}";90\n`)),
    );
    if (error === null) expect(errors).toBe("");
    else expect(errors).toContain(`${error}${JSON.stringify(price)}.`);
  });

  test.each([
    ["file,titel\n", 'has an unknown column "titel". Did you mean title?'],
    ["title,genre\n", "has no column file."],
    ["file,title,title\n", "has more than one column title."],
    ["", "is empty."],
  ])("with the CSV file %j is refused", async (text, why) => {
    const { errors, status } = await publish(...(await titles(text)));
    expect(errors).toContain(why);
    expect(status).toBe(1);
    expect(await driver`select id from users`).toEqual([]);
  });
});

describe("the storage", () => {
  test("must be the one that the database names", async () => {
    await driver`update storage_identity set id = gen_random_uuid(), place = 's3://beats'`;
    expect((await publishDusk()).errors).toMatch(/^error: The files of this database are in s3:\/\/beats, not in /);
  });

  test("is chosen by a server, never by the command, if several machines may share a database", async () => {
    await driver`delete from storage_identity`;
    const { errors, status } = await publishDusk();
    expect([errors, status]).toEqual([
      "error: No server has chosen a storage for this database yet; start the service once.\n",
      1,
    ]);
  });
});
