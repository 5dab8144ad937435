import { randomBytes } from "node:crypto";
import { notFound } from "@beatmarket/foundation/errors.ts";
import type { SandboxControl } from "../../resources/sandboxes/control.ts";
import {
  AdvanceResponse,
  advanceReference,
  NewSandboxResponse,
  newSandboxReference,
  SandboxAdvance,
  SandboxCreation,
  SandboxesResponse,
  SandboxId,
  SandboxResponse,
  sandboxesReference,
  sandboxReference,
} from "../../resources/sandboxes/present.ts";
import { readAdvance } from "../../resources/sandboxes/read-advance.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const tag = "Sandboxes";

/** The sandboxes of the account (docs/api/sandboxes.md). `control` is null in live mode, which has no sandboxes. */
export function sandboxPageRoutes(control: SandboxControl | null): PortalRoute[] {
  const sandboxes = (): SandboxControl => {
    if (control === null) throw notFound("Sandboxes belong to test mode. Switch the portal to Test.");
    return control;
  };
  return [
    portalRoute({
      operationId: "listPortalSandboxes",
      permission: "keys:read",
      method: "GET",
      path: "/sandboxes",
      tag,
      summary: "List the account's sandboxes, which exist in test mode",
      response: SandboxesResponse.reference,
      refusals: [404],
      handle: async () => sandboxesReference(await sandboxes().list()),
    }),
    portalRoute({
      operationId: "createPortalSandbox",
      permission: "keys:write",
      method: "POST",
      path: "/sandboxes",
      tag,
      needsStepUp: true,
      summary: "Create a sandbox; its key is shown only once",
      body: SandboxCreation,
      status: 201,
      response: NewSandboxResponse.reference,
      refusals: [404, 409],
      handle: async ({ body: { seed = randomBytes(12).toString("hex"), catalogue, webhook_url } }) =>
        newSandboxReference(await sandboxes().create({ seed, catalogue, webhookUrl: webhook_url ?? null })),
    }),
    portalRoute({
      operationId: "advancePortalSandbox",
      permission: "keys:write",
      method: "POST",
      tag,
      path: "/sandboxes/:sandbox_id/advance",
      summary: "Advance the clock of a sandbox; a call works for up to 10 seconds",
      params: SandboxId,
      body: SandboxAdvance,
      response: AdvanceResponse.reference,
      refusals: [409],
      handle: async ({ params, body }) =>
        advanceReference(await sandboxes().advance(params.sandbox_id, readAdvance(body))),
    }),
    portalRoute({
      operationId: "forkPortalSandbox",
      permission: "keys:write",
      method: "POST",
      tag,
      needsStepUp: true,
      path: "/sandboxes/:sandbox_id/fork",
      summary: "Copy a sandbox; the key of the copy is shown only once",
      params: SandboxId,
      status: 201,
      response: NewSandboxResponse.reference,
      refusals: [409],
      handle: async ({ params }) => newSandboxReference(await sandboxes().fork(params.sandbox_id)),
    }),
    portalRoute({
      operationId: "deletePortalSandbox",
      permission: "keys:write",
      method: "DELETE",
      tag,
      needsStepUp: true,
      path: "/sandboxes/:sandbox_id",
      summary: "Delete a sandbox with its data and its keys",
      params: SandboxId,
      response: SandboxResponse.reference,
      handle: async ({ params }) => sandboxReference(await sandboxes().delete(params.sandbox_id)),
    }),
  ];
}
