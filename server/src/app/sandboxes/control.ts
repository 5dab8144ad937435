import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { runInOneProcess } from "@beatmarket/postgres/in-batches.ts";
import { parseEndpointUrl } from "@beatmarket/webhooks/address/endpoint-url.ts";
import { listEndpoints } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { permissions } from "../../access/roles.ts";
import { generateKey } from "../../resources/api-keys/key-format.ts";
import { createKey, listActiveKeys, revokeKey } from "../../resources/api-keys/queries.ts";
import type {
  Advance,
  AdvanceRequest,
  CreatedSandbox,
  SandboxControl,
  SandboxState,
} from "../../resources/sandboxes/control.ts";
import type { listSandboxes, Sandbox } from "../../resources/sandboxes/queries.ts";
import { createEndpoint, deleteEndpoint } from "../../resources/webhooks/endpoints.ts";
import { advance } from "./advance.ts";
import { type OpenSandbox, pathOf } from "./open-sandbox.ts";
import type { Sandboxes } from "./sandboxes.ts";
import { ownerOf } from "./seed-sandbox.ts";

export interface ControlParts {
  sandboxes: Sandboxes;
  publicUrl: string;
  userId: number;
  /** WEBHOOK_ALLOW_PRIVATE. */
  allowPrivate: boolean;
  list(): ReturnType<typeof listSandboxes>;
  /**
   * Real time in milliseconds, which limits how long a call advances. Tools pass a constant, so that no result depends
   * on the machine.
   */
  realMs?(): number;
}

const sandboxId = /^[0-9a-z]{16}$/;
/** A call of `advance` ends well within the 20 seconds that a request may take. */
const advanceMs = 10_000;

/** The sandboxes of one account. */
export function sandboxControl(parts: ControlParts): SandboxControl {
  const { sandboxes, publicUrl, userId, allowPrivate, list, realMs = () => performance.now() } = parts;
  const find = async (id: string): Promise<Sandbox> => {
    const sandbox = sandboxId.test(id) ? await sandboxes.find(id) : undefined;
    if (sandbox === undefined || sandbox.user_id !== userId || sandbox.kind !== "sandbox")
      throw notFound(`There is no sandbox ${id}.`);
    return sandbox;
  };
  const stateOf = async (sandbox: Sandbox): Promise<SandboxState> => ({
    ...sandbox,
    now: await sandboxes.timeOf(sandbox),
    baseUrl: publicUrl + pathOf(sandbox.id),
  });
  const withKey = async (sandbox: Sandbox, webhookUrl: string | null = null): Promise<CreatedSandbox> => {
    const created = await sandboxes.use(sandbox, async (open) => ({
      apiKey: await newKey(open, sandbox.id),
      webhookSecret: webhookUrl === null ? null : await newEndpoint(open, webhookUrl),
    }));
    return { ...(await stateOf(sandbox)), ...created };
  };
  return {
    create: async ({ webhookUrl, ...request }, run = null) => {
      if (webhookUrl !== null) parseEndpointUrl(webhookUrl, { allowPrivate });
      return withKey(await sandboxes.create({ ...request, user_id: userId, kind: "sandbox" }, run), webhookUrl);
    },
    list: async () => Promise.all((await list()).map(stateOf)),
    get: async (id) => stateOf(await find(id)),
    delete: async (id) => {
      const state = await stateOf(await find(id));
      await sandboxes.delete(id);
      return state;
    },
    fork: async (id, run = null) => withKey(await sandboxes.fork(await find(id), run)),
    advance: async (id, request) => {
      const sandbox = await find(id);
      const fullness = await sandboxes.fullness(id, true);
      if (fullness !== null) throw conflict(fullness);
      const advanced = await sandboxes.alone(id, () =>
        sandboxes.use(sandbox, (open) => advanceOnce(open, request, realMs)),
      );
      return { sandbox: await stateOf(sandbox), advance: advanced };
    },
  };
}

/** Throws 409 while another server advances the sandbox. */
async function advanceOnce(open: OpenSandbox, request: AdvanceRequest, realMs: () => number): Promise<Advance> {
  let advanced: Advance | null = null;
  await runInOneProcess(open.database.query, "beatmarket:advance", async () => {
    advanced = await advanceOpen(open, request, realMs);
  });
  if (advanced === null) throw conflict("Another call advances this sandbox now. Try again when it has ended.");
  return advanced;
}

async function advanceOpen(
  { app, database, clock, seed, clearingDays, jobs, deliveries, changes }: OpenSandbox,
  request: AdvanceRequest,
  realMs: () => number,
): Promise<Advance> {
  if (clock === null || deliveries === null) throw new Error("Test mode has no time of its own.");
  const { checkout, tallyOrders, daily, publishLicenseLog } = app.simulation;
  const startMs = clock.nowMs();
  deliveries.isDown = (atMs) =>
    request.outages.some(({ fromMs, toMs }) => atMs >= startMs + fromMs && atMs < startMs + toMs);
  try {
    const parts = { db: database.query, clock, seed, clearingDays, checkout, tallyOrders, daily };
    const bounds = { realMs, untilMs: realMs() + advanceMs, countChanges: () => changes.count };
    const advanced = await advance({ ...parts, ...bounds, jobs: [...jobs, deliveries] }, request);
    // Publishes the log once at the end: publishing more often gives the same log, and costs a signature and files each
    // time.
    await publishLicenseLog();
    return advanced;
  } finally {
    deliveries.isDown = () => false;
  }
}

/**
 * Creates an endpoint of the sandbox's owner for all events. Replaces the endpoint of an earlier attempt whose response
 * was lost. Returns the secret.
 */
async function newEndpoint({ app, database: { query: db }, webhooks }: OpenSandbox, url: string): Promise<string> {
  const request = { userId: await ownerOf(db), url, description: "Sandbox", eventTypes: null };
  const now = new Date(app.simulation.checkout.clock.nowMs());
  for (const { id } of await listEndpoints(db, "operator")) await deleteEndpoint(db, id, "operator", now);
  return (await createEndpoint(db, request, { ...webhooks, now }, "operator")).secret;
}

/** Creates a key of the sandbox's owner with all permissions. It replaces the owner's earlier keys. */
async function newKey({ app, database: { query: db } }: OpenSandbox, id: string): Promise<string> {
  const now = new Date(app.simulation.checkout.clock.nowMs());
  const userId = await ownerOf(db);
  for (const { id: former } of await listActiveKeys(db, userId, now)) await revokeKey(db, former, "operator", now);
  const key = generateKey(id);
  await createKey(db, { userId, name: "Sandbox", plan: "plus", permissions, expiresAt: null, key }, now);
  return key;
}
