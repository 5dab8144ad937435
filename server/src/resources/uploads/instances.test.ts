import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { basename } from "node:path";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { describe, expect, test } from "vitest";
import { uploadApi } from "../../../test/harness/uploads.ts";

/** A storage whose writes fail while `fault` is set. */
class FaultyStorage extends FolderStorage {
  fault: Error | null = null;

  override async put(file: string, sha256: string, bytes: number): Promise<void> {
    if (this.fault !== null) throw this.fault;
    await super.put(file, sha256, bytes);
  }
}

const firstInstance = await uploadApi();
const storage = new FaultyStorage(`${firstInstance.dataDir}/objects`);
/** Another instance with its own DATA_DIR, and with the same database and storage. */
const secondInstance = await uploadApi({ database: firstInstance.api.database, storage });
const file = randomBytes(1_000);
const authorization = `Bearer ${firstInstance.api.key}`;

describe("two instances with one storage", () => {
  test("accept parts of one upload alternately", async () => {
    const path = await firstInstance.create(1_000);
    for (const [index, instance] of [firstInstance, secondInstance, secondInstance, firstInstance].entries()) {
      const part = file.subarray(index * 250, (index + 1) * 250);
      expect((await instance.append(path, index * 250, part, { authorization })).status).toBe(204);
    }
    expect((await secondInstance.arrivedOf(path)).equals(file)).toBe(true);
    const jobs = firstInstance.api.database.query
      .selectFrom("media_jobs")
      .select("kind")
      .where("subject", "=", basename(path));
    expect(await jobs.execute()).toEqual([{ kind: "analyse" }]);
  });

  test("can continue an upload of the other instance", async () => {
    const path = await firstInstance.create(1_000);
    await firstInstance.append(path, 0, file.subarray(0, 300));
    const socket = await firstInstance.beginPart(path, 300, 700, file.subarray(300, 600));
    await firstInstance.untilWriting();
    expect((await secondInstance.tus("HEAD", path, { authorization })).headers.get("upload-offset")).toBe("300");
    expect((await secondInstance.append(path, 300, file.subarray(300), { authorization })).status).toBe(204);
    const response = once(socket, "data");
    socket.write(randomBytes(400));
    expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 409 .*took over/s);
    socket.destroy();
    expect((await secondInstance.arrivedOf(path)).equals(file)).toBe(true);
  });

  test("let one of two concurrent writers complete an upload, and answer 409 to the other", async () => {
    const path = await firstInstance.create(1_000);
    const statuses = await Promise.all(
      [firstInstance, secondInstance].map(
        async (instance) => (await instance.append(path, 0, file, { authorization })).status,
      ),
    );
    expect(statuses.sort()).toEqual([204, 409]);
    expect((await firstInstance.arrivedOf(path)).equals(file)).toBe(true);
  });

  test("answer 404 to the writer whose upload the other instance has deleted", async () => {
    const path = await firstInstance.create(1_000);
    const writer = await firstInstance.beginPart(path, 0, 1_000, file.subarray(0, 500));
    await firstInstance.untilWriting();
    expect((await secondInstance.tus("DELETE", path, { authorization })).status).toBe(204);
    const response = once(writer, "data");
    writer.write(file.subarray(500));
    expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 404 /);
    writer.destroy();
  });
});

describe("a storage whose writes fail", () => {
  const code = (code: string) => Object.assign(new Error(code), { code: code });

  test.each([
    [507, "ENOSPC", "no room for more"],
    [503, "ECONNREFUSED", "storage of the service's files is out of reach"],
  ])("causes status %i for %s, and earlier bytes stay", async (status, error, details) => {
    // The test needs new content, because the earlier content is already stored.
    const file = randomBytes(1_000);
    const path = await firstInstance.create(1_000);
    await firstInstance.append(path, 0, file.subarray(0, 400));
    storage.fault = code(error);
    const response = await secondInstance.append(path, 400, file.subarray(400), { authorization });
    expect([response.status, (await response.text()).includes(details)]).toEqual([status, true]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    storage.fault = null;
    expect(await secondInstance.offsetOf(path)).toBe(400);
    expect((await secondInstance.append(path, 400, file.subarray(400), { authorization })).status).toBe(204);
    expect((await firstInstance.arrivedOf(path)).equals(file)).toBe(true);
  });
});
