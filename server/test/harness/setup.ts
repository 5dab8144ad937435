import { cleanUpTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { expectNoSecretInLogs, killPrograms } from "@beatmarket/postgres/testing/processes.ts";
import { afterAll, afterEach, vi } from "vitest";

// Vitest runs this ahead of each test file. The files of a worker share their modules, so that a hook which a module
// registers while it loads would be one of the worker's first file alone. Hooks run the newest first: these run last.

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await cleanUpTestFile();
});

afterEach(expectNoSecretInLogs);
afterEach(killPrograms);
