import { tcpProxy } from "@beatmarket/foundation/testing/tcp-proxy.ts";
import { emptyDatabaseUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { expect, onTestFinished, test } from "vitest";
import { connectForTest } from "../../../test/harness/database/driver.ts";
import { CatalogueVersion } from "./catalogue-version.ts";

test("a version without notices differs at every read, and rises when notices arrive again", async () => {
  const proxy = await tcpProxy(await emptyDatabaseUrl());
  const database = connectForTest({ url: proxy.url }, { max: 2 });
  onTestFinished(() => database.close());
  const version = new CatalogueVersion();
  let losses = 0;
  await version.follow(database.listener, () => losses++);
  const { current, names } = version;
  expect([version.current, version.names]).toEqual([current, names]);
  proxy.cut();
  await expect.poll(() => version.isFollowed).toBe(false);
  expect(losses).toBe(1);
  expect(version.current).not.toBe(version.current);
  expect(version.names).not.toBe(version.names);
  const versionWhileLost = version.current;
  proxy.resume();
  await expect.poll(() => version.isFollowed).toBe(true);
  expect(version.current).toBeGreaterThan(versionWhileLost);
  expect(version.current).toBe(version.current);
});
