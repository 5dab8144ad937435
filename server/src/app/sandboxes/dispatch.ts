import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import { type Account, accountSuspended, permittedAccount } from "../../access/account.ts";
import { keyOf, liveKeyOnTest, sandboxFull } from "../../access/test-mode.ts";
import { isWellFormed, sandboxOfKey } from "../../resources/api-keys/key-format.ts";
import { listSandboxes, type Sandbox } from "../../resources/sandboxes/queries.ts";
import type { App, AppParts } from "../services/scope.ts";
import type { Services } from "../services.ts";
import { runDue } from "./advance.ts";
import { sandboxControl } from "./control.ts";
import type { OpenSandbox } from "./open-sandbox.ts";
import type { SandboxClock } from "./sandbox-clock.ts";
import { SandboxServer } from "./sandbox-server.ts";
import { Sandboxes } from "./sandboxes.ts";

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The header by which the portal's pages request the test mode of the account. */
const modeHeader = "x-mode";

/** The paths of the portal that exist twice: live, and in test mode. The explorer calls the paths of the API. */
const testAreas = /^\/(portal\/api\/(keys|webhooks|calls|analytics|library|explorer|sandboxes)([/.?]|$)|(api\/)?v1\/)/;
/** Real time for the jobs that a change makes due. The remaining jobs run after the next change, or in `advance`. */
const jobsMs = 10_000;
/** How long a call waits for the effects of earlier changes. */
const waitMs = 15_000;
const sandboxPath = /^\/sandboxes\/([0-9a-z]{16})(\/.*)$/;

export interface DispatchParts {
  sandboxes: Sandboxes;
  findAccount(headers: Headers): Promise<Account | null>;
  /** The live service. */
  live: Handle;
  /** The errors with which the live service refuses requests, by the headers of the request. */
  refusals: WeakMap<IncomingHttpHeaders, ApiError>;
}

/**
 * Hands each request to the service that it belongs to. A test key names its sandbox. Links, pages and files of a
 * sandbox are below its path. The portal names test mode with a header. Everything else is live.
 */
class Dispatch {
  readonly #parts: DispatchParts;
  /** For each sandbox with its own time: resolves when its last change, and the jobs that it made due, have ended. */
  readonly #changes = new Map<string, Promise<void>>();

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  readonly handle: Handle = (request, response) => {
    const { url = "/", headers } = request;
    const key = keyOf(headers.authorization);
    const ofKey = key?.startsWith("bm_test_") === true ? sandboxOfKey(key) : null;
    const ofPath = url.startsWith("/sandboxes/") ? sandboxPath.exec(url) : null;
    if (ofPath !== null)
      return this.#toSandbox(request, response, { id: ofPath[1] ?? "", key, rest: ofPath[2] ?? "/" });
    if (ofKey !== null) return this.#toSandbox(request, response, { id: ofKey, key, rest: url });
    if (key === null && headers[modeHeader] === "test" && testAreas.test(url))
      return this.#toTestMode(request, response);
    return this.#parts.live(request, response);
  };

  async #toSandbox(
    request: IncomingMessage,
    response: ServerResponse,
    { id, key, rest }: { id: string; key: string | null; rest: string },
  ): Promise<void> {
    await this.#refusing(request, response, async () => {
      const sandbox = await this.#parts.sandboxes.find(id);
      // The live service refuses the key or the path as unknown.
      if (sandbox === undefined) return this.#parts.live(request, response);
      if (key !== null && isWellFormed(key) && sandboxOfKey(key) === null)
        throw liveKeyOnTest(
          `This address belongs to sandbox ${id}, and the API key is a live one. Use a key of the sandbox, which begins with bm_test_, or call the API at its live address.`,
        );
      if (sandbox.suspension_reason !== null) throw accountSuspended(sandbox.suspension_reason);
      request.url = rest;
      return this.#serve(sandbox, request, response);
    });
  }

  async #toTestMode(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#refusing(request, response, async () => {
      const { sandboxes, findAccount, live } = this.#parts;
      const account = await findAccount(new Headers({ cookie: request.headers.cookie ?? "" }));
      if (account === null) return live(request, response);
      // Throws for a suspended organisation. Each route checks its permission later.
      permittedAccount(account, "account:read");
      return this.#serve(await sandboxes.testModeOf(account.userId), request, response);
    });
  }

  async #serve(sandbox: Sandbox, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sandboxes } = this.#parts;
    await sandboxes.use(sandbox, async (open) => {
      const { clock } = open;
      if (clock === null) return respond(open, request, response);
      // A call waits for the effects of all earlier changes. So the same sequence of calls always has the same results.
      const before = this.#changes.get(sandbox.id) ?? Promise.resolve();
      if (isRead(request)) {
        await withTimeout(before, waitMs, stillWorking);
        return respond(open, request, response);
      }
      const change = Promise.withResolvers<void>();
      this.#changes.set(sandbox.id, change.promise);
      try {
        const fullness = await sandboxes.fullness(sandbox.id);
        if (fullness !== null) throw sandboxFull(fullness);
        await withTimeout(before, waitMs, stillWorking);
        await respond(open, request, response);
        // A running call of `advance` runs the jobs that this change makes due. Otherwise they run now.
        if (sandboxes.isWorking(sandbox.id)) open.changes.count++;
        else await sandboxes.alone(sandbox.id, () => runJobs(open, clock));
      } finally {
        // Later changes begin only when all earlier changes have ended, even if this change stopped waiting for them.
        void before.then(() => {
          change.resolve();
          if (this.#changes.get(sandbox.id) === change.promise) this.#changes.delete(sandbox.id);
        });
      }
    });
  }

  /** Sends a refusal the way the live service does. */
  async #refusing(request: IncomingMessage, response: ServerResponse, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (response.headersSent) return;
      const { refusals, live } = this.#parts;
      refusals.set(request.headers, error instanceof ApiError ? error : unavailable(error));
      await live(request, response);
    }
  }
}

const isRead = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";

/** Resolves when the response has ended. */
async function respond({ app }: OpenSandbox, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const end = finished(response).catch(() => {});
  await app.handle(request, response);
  await end;
}

/** Runs the jobs that a change of a sandbox made due. */
async function runJobs({ app, database, jobs }: OpenSandbox, clock: SandboxClock): Promise<void> {
  const untilMs = performance.now() + jobsMs;
  await runDue(database.query, jobs, clock, () => performance.now() >= untilMs);
  await app.simulation.publishLicenseLog();
}

const stillWorking = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Sandbox busy",
    "The sandbox still works on what an earlier change caused, such as the analysis of a file. Try again in 5 seconds.",
    { headers: { "retry-after": "5" } },
  );

const unavailable = (cause: unknown): ApiError =>
  new ApiError(503, "server_error", "Sandbox unavailable", "The sandbox cannot be opened now; try again in a moment.", {
    headers: { "retry-after": "5" },
    cause,
  });

/**
 * The sandboxes of a live service; null without test mode, and in a sandbox. `build` builds the service of a sandbox.
 */
export function openSandboxes(
  parts: AppParts,
  { accounts, refusals }: Pick<Services, "accounts" | "refusals">,
  live: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  build: (parts: AppParts) => Promise<App>,
) {
  if (parts.sandboxServer === undefined || parts.sandbox !== undefined) return null;
  const findAccount = (headers: Headers) => accounts.find(headers, () => {});
  const sandboxes: Sandboxes = new Sandboxes(
    {
      live: parts,
      build,
      findAccount,
      controlOf: (userId) =>
        sandboxControl({
          sandboxes,
          userId,
          publicUrl: parts.config.publicUrl,
          allowPrivate: parts.portal.webhooks.allowPrivate,
          list: () => listSandboxes(parts.database.query, userId),
        }),
    },
    new SandboxServer(parts.sandboxServer),
  );
  return {
    dispatch: new Dispatch({ sandboxes, findAccount, live, refusals }),
    start: () => sandboxes.start(),
    close: () => sandboxes.close(),
  };
}
