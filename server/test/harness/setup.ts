import { cleanUpTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { expectNoSecretInLogs, killPrograms } from "@beatmarket/postgres/testing/processes.ts";
import { afterAll, afterEach, vi } from "vitest";

// Vitest runs this module before each test file. The files of a worker share their modules, so a hook that another
// module registers on import would run only for the worker's first file. The newest hooks run first, so these hooks run
// last.

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await cleanUpTestFile();
});

afterEach(expectNoSecretInLogs);
afterEach(killPrograms);
