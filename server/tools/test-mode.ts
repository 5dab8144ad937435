import { buildApp } from "../src/app/app.ts";
import { sandboxControl } from "../src/app/sandboxes/control.ts";
import { SandboxServer } from "../src/app/sandboxes/sandbox-server.ts";
import { Sandboxes } from "../src/app/sandboxes/sandboxes.ts";
import { seedSandbox } from "../src/app/sandboxes/seed-sandbox.ts";
import type { AppParts, SandboxServerParts, SandboxSettings } from "../src/app/services/scope.ts";
import { addSandbox, findSandbox, listSandboxes } from "../src/resources/sandboxes/queries.ts";

/** The sandbox that the examples of the operation table name. */
export const exampleSandboxId = "3n0vk7d2m9q4xw1c";

/** A service that is the test mode of an account, so that one key may call every operation of the API. */
export interface TestMode {
  settings: SandboxSettings;
  /**
   * Creates the sandbox of the examples if it is missing. `isFresh` deletes all sandboxes of the account first.
   * Otherwise, all others are deleted if there are more than three.
   */
  insertExample(isFresh?: boolean): Promise<void>;
  /** Deletes the sandboxes, because the next test mode uses the same ids. */
  close(): Promise<void>;
}

/** The limit of sandboxes: that of the examples, and others that examples create. */
const mostKept = 3;

/** Test mode of the account `userId`. `parts` are the parts of the service without test mode. */
export function testModeOf(parts: AppParts, server: SandboxServerParts, userId: number): TestMode {
  const { clock, config, database, portal } = parts;
  const db = database.query;
  const databases = new SandboxServer(server);
  const findAccount = async () => null;
  const sandboxes: Sandboxes = new Sandboxes(
    { live: parts, build: buildApp, findAccount, controlOf: () => control },
    databases,
  );
  const control = sandboxControl({
    sandboxes,
    userId,
    publicUrl: config.publicUrl,
    allowPrivate: portal.webhooks.allowPrivate,
    list: () => listSandboxes(db, userId),
    realMs: () => 0,
  });
  const insert = async () => {
    const sandbox = { user_id: userId, kind: "sandbox", seed: "checkout-flow", catalogue: "empty" } as const;
    const name = databases.nameOf(exampleSandboxId);
    const now = new Date(clock.nowMs());
    await databases.create(name);
    const sandboxDatabase = await databases.open(name);
    await seedSandbox(sandboxDatabase.query, sandbox, now).finally(() => sandboxDatabase.close());
    await addSandbox(db, { ...sandbox, id: exampleSandboxId }, now);
  };
  return {
    settings: { id: "0".repeat(16), kind: "test", control, path: "", findAccount },
    insertExample: async (isFresh = false) => {
      const sandboxList = await listSandboxes(db, userId);
      const removable = sandboxList.filter(
        ({ id }) => isFresh || (sandboxList.length > mostKept && id !== exampleSandboxId),
      );
      for (const { id } of removable) await control.delete(id);
      if ((await findSandbox(db, exampleSandboxId)) === undefined) await insert();
    },
    close: async () => {
      for (const { id } of await listSandboxes(db, userId)) await control.delete(id);
      await sandboxes.close();
    },
  };
}
