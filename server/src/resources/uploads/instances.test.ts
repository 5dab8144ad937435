import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { basename } from "node:path";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { describe, expect, test } from "vitest";
import { uploadApi } from "../../../test/harness/uploads.ts";

/** A storage that refuses every write while `fault` is set. */
class FaultyStorage extends FolderStorage {
  fault: Error | null = null;

  override async put(file: string, sha256: string, bytes: number): Promise<void> {
    if (this.fault !== null) throw this.fault;
    await super.put(file, sha256, bytes);
  }
}

const here = await uploadApi();
const storage = new FaultyStorage(`${here.dataDir}/objects`);
/** Another instance: its own DATA_DIR, the same database and storage. */
const there = await uploadApi({ database: here.api.database, storage });
const file = randomBytes(1_000);
const authorization = `Bearer ${here.api.key}`;

describe("two instances with one storage", () => {
  test("accept parts of one upload by turns", async () => {
    const path = await here.create(1_000);
    for (const [at, instance] of [here, there, there, here].entries()) {
      const part = file.subarray(at * 250, (at + 1) * 250);
      expect((await instance.append(path, at * 250, part, { authorization })).status).toBe(204);
    }
    expect((await there.arrivedOf(path)).equals(file)).toBe(true);
    const jobs = here.api.database.query.selectFrom("media_jobs").select("kind").where("subject", "=", basename(path));
    expect(await jobs.execute()).toEqual([{ kind: "analyse" }]);
  });

  test("the other one continues where a lost one stopped", async () => {
    const path = await here.create(1_000);
    await here.append(path, 0, file.subarray(0, 300));
    const lost = await here.beginPart(path, 300, 700, file.subarray(300, 600));
    await here.untilWriting();
    expect((await there.tus("HEAD", path, { authorization })).headers.get("upload-offset")).toBe("300");
    expect((await there.append(path, 300, file.subarray(300), { authorization })).status).toBe(204);
    const response = once(lost, "data");
    lost.write(randomBytes(400));
    expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 409 .*took over/s);
    lost.destroy();
    expect((await there.arrivedOf(path)).equals(file)).toBe(true);
  });

  test("of two concurrent writers one completes the upload, and the other gets 409", async () => {
    const path = await here.create(1_000);
    const statuses = await Promise.all(
      [here, there].map(async (instance) => (await instance.append(path, 0, file, { authorization })).status),
    );
    expect(statuses.sort()).toEqual([204, 409]);
    expect((await here.arrivedOf(path)).equals(file)).toBe(true);
  });

  test("404 for the writer whose upload the other instance deleted", async () => {
    const path = await here.create(1_000);
    const writer = await here.beginPart(path, 0, 1_000, file.subarray(0, 500));
    await here.untilWriting();
    expect((await there.tus("DELETE", path, { authorization })).status).toBe(204);
    const response = once(writer, "data");
    writer.write(file.subarray(500));
    expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 404 /);
    writer.destroy();
  });
});

describe("a storage that refuses writes", () => {
  const code = (code: string) => Object.assign(new Error(code), { code: code });

  test.each([
    [507, "ENOSPC", "no room for more"],
    [503, "ECONNREFUSED", "storage of the service's files is out of reach"],
  ])("%i for %s, and the bytes that had arrived stay", async (status, error, details) => {
    // New content, since the earlier content is already stored.
    const file = randomBytes(1_000);
    const path = await here.create(1_000);
    await here.append(path, 0, file.subarray(0, 400));
    storage.fault = code(error);
    const response = await there.append(path, 400, file.subarray(400), { authorization });
    expect([response.status, (await response.text()).includes(details)]).toEqual([status, true]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    storage.fault = null;
    expect(await there.offsetOf(path)).toBe(400);
    expect((await there.append(path, 400, file.subarray(400), { authorization })).status).toBe(204);
    expect((await here.arrivedOf(path)).equals(file)).toBe(true);
  });
});
