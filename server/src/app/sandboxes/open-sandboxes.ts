import type { IncomingMessage, ServerResponse } from "node:http";
import { listSandboxes } from "../../resources/sandboxes/queries.ts";
import type { App, AppParts } from "../services/scope.ts";
import type { Services } from "../services.ts";
import { sandboxControl } from "./control.ts";
import { Dispatch } from "./dispatch.ts";
import { SandboxServer } from "./sandbox-server.ts";
import { Sandboxes } from "./sandboxes.ts";

/** The sandboxes of a live service; null without test mode, and in a sandbox. `build` builds the service of a sandbox. */
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
      ...{ live: parts, build, findAccount },
      controlOf: (userId) =>
        sandboxControl({
          ...{ sandboxes, userId, publicUrl: parts.config.publicUrl },
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
