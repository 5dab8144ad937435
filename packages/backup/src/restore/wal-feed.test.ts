import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Cluster } from "@beatmarket/postgres/embedded/cluster.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { expect, onTestFinished, test } from "vitest";
import type { Vault } from "../vault/vault.ts";
import { feedDir, WalFeed } from "./wal-feed.ts";

const [first, second, third] = [1, 2, 3].map((n) => `00000001000000000000000${n}`) as [string, string, string];

/** A feed from a vault with these files. `want` requests a file, as the restore command of PostgreSQL does. */
async function openFeed(files: Readonly<Record<string, string>>, listedFiles: readonly string[]) {
  const dir = await mkdtemp(join(tmpdir(), "beatmarket-feed-"));
  const get = async (name: string) => {
    const text = files[name.slice("wal/7/".length)];
    return text === undefined ? null : Readable.from([Buffer.from(text)]);
  };
  const feed = new WalFeed({ get } as unknown as Vault, "7", { dir } as Cluster, new Set(listedFiles));
  onTestFinished(async () => {
    await feed.stop();
    await rm(dir, { recursive: true });
  });
  await feed.start();
  const file = (name: string) => join(dir, feedDir, name);
  const exists = (name: string) =>
    stat(file(name)).then(
      () => true,
      () => false,
    );
  return { feed, file, exists, want: (name: string) => writeFile(file(`${name}.wanted`), "") };
}

test("the feed supplies requested files, fetches the following segments in advance, and reports missing files", async () => {
  const { feed, file, exists, want } = await openFeed({ [first]: "one", [second]: "two" }, [first, second]);
  await want(first);
  await until(() => exists(first));
  expect(await readFile(file(first), "utf8")).toBe("one");
  await rm(file(first));
  await rm(file(`${first}.wanted`));
  await until(() => exists(second));
  expect(feed.takenCount).toBe(1);
  await want(third);
  await until(() => exists(`${third}.missing`));
});

test("a file that was deleted from the vault after it was listed ends the recovery with an error that names it", async () => {
  const { feed, want } = await openFeed({}, [first]);
  await want(first);
  await expect(feed.failed.promise).rejects.toThrow(`wal/7/${first} has gone from the vault.`);
});
