import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { databaseUrl } from "@beatmarket/postgres/testing/scratch-server.ts";
import { testPrefix, testServerUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { SandboxServer } from "../../src/app/sandboxes/sandbox-server.ts";
import type { SandboxServerParts } from "../../src/app/services/scope.ts";
import { sandboxOfKey, sha256 } from "../../src/resources/api-keys/key-format.ts";
import type { TestApiOptions } from "./api.ts";
import { connectForTest, type TestDatabase } from "./database/driver.ts";

/** Runs statements of a test in the database of a sandbox. */
export async function inSandbox<T>(
  { sandboxServer }: Pick<TestApiOptions, "sandboxServer">,
  id: string,
  work: (driver: TestDatabase["driver"], database: TestDatabase) => Promise<T>,
): Promise<T> {
  const address = sandboxServer?.addressOf(`${sandboxServer.prefix}${id}`);
  if (address === undefined) throw new Error("The service of the test has no test mode.");
  const database = connectForTest(address, { max: 1 });
  return work(database.driver, database).finally(() => database.close());
}

/** Lifts the limits of a test key, for tests that make many calls. */
export const liftLimits = (testMode: Pick<TestApiOptions, "sandboxServer">, key: string): Promise<unknown> =>
  inSandbox(
    testMode,
    sandboxOfKey(key) ?? "",
    (driver) => driver`update api_keys set plan = 'internal' where sha256 = ${sha256(key)}`,
  );

/**
 * The options of a service with test mode. Its sandboxes are on the tests' PostgreSQL, its files in a folder of the
 * test file. The databases are deleted with the sandboxes, or at the end of the run. `group` separates sandboxes whose
 * ids occur in several test files.
 */
export async function withTestMode(group = ""): Promise<{ sandboxServer: SandboxServerParts; dataDir: string }> {
  const url = await testServerUrl();
  const dataDir = await mkdtemp(join(tmpdir(), "sandboxes-"));
  afterTestFile(() => rm(dataDir, { recursive: true, force: true }));
  const sandboxServer = {
    admin: { url },
    addressOf: (database: string) => ({ url: databaseUrl(url, database) }),
    owner: null,
    prefix: `${testPrefix()}sandbox_${group}`,
  };
  await new SandboxServer(sandboxServer).prepare();
  return { dataDir, sandboxServer };
}
