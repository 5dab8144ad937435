import { notFound } from "@beatmarket/foundation/errors.ts";
import type { RateLimitStore, RateWindow } from "@beatmarket/http/rate-limit/store.ts";
import Type from "typebox";
import { bucketNumber } from "../../access/caller.ts";
import { permissions } from "../../access/permissions.ts";
import { plans } from "../../access/plans.ts";
import { keyPermissionsOf } from "../../access/roles.ts";
import { findOwnKey, listActiveKeys } from "../../resources/api-keys/queries.ts";
import { LimitWindow, limitWindow } from "../limit-window.ts";
import { type PortalRoute, portalRoute } from "../route.ts";
import { explorerWindows } from "./explorer-caller.ts";

const closed = { additionalProperties: false };
const tag = "Explorer";

const ExplorerKeys = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          name: Type.String(),
          ends_with: Type.String({ description: "The last characters of the key." }),
          permissions: Type.Array(Type.String()),
        },
        { $id: "ExplorerKey", ...closed },
      ),
      { description: "Oldest first." },
    ),
  },
  closed,
);

const ExplorerLimits = Type.Object(
  {
    explorer: Type.Array(LimitWindow, { description: "Of calls with this key from the explorer." }),
    key: Type.Array(LimitWindow, { description: "Of calls with this key from anywhere else; empty without limits." }),
  },
  { $id: "ExplorerLimits", ...closed },
);

/** The signed-in account's data for the explorer. */
export const explorerRoutes = (rateLimits: RateLimitStore): PortalRoute[] => [
  portalRoute({
    operationId: "listExplorerKeys",
    permission: "explorer:use",
    method: "GET",
    path: "/explorer/keys",
    tag,
    summary: "The account's keys that work and may do no more than the person's role, to call with from the explorer",
    response: ExplorerKeys,
    handle: async ({ db, clock, account }) => {
      const keys = await listActiveKeys(db, account.userId, new Date(clock.nowMs()));
      const { organisation } = account;
      const within = new Set(organisation === null ? permissions : keyPermissionsOf(organisation.role));
      const offered = keys.filter((key) => key.permissions.every((permission) => within.has(permission)));
      return {
        keys: offered.map(({ id, name, endsWith, permissions }) => ({ id, name, ends_with: endsWith, permissions })),
      };
    },
  }),
  portalRoute({
    operationId: "getExplorerLimits",
    permission: "explorer:use",
    method: "GET",
    path: "/explorer/keys/:key_id/limits",
    tag,
    summary: "How much of a key's limits is left, in the explorer and elsewhere",
    params: Type.Object({ key_id: Type.Integer({ description: "Identifier of the key." }) }),
    response: ExplorerLimits,
    handle: async ({ db, clock, account, params }) => {
      const key = await findOwnKey(db, params.key_id, account.userId);
      if (key === null) throw notFound(`You have no API key ${params.key_id}.`);
      const look = async (fromExplorer: boolean, windows: readonly RateWindow[]) => {
        const states = await rateLimits.peek(bucketNumber({ apiKeyId: key.id, fromExplorer }), windows);
        return states.map((state) => limitWindow(state, clock.nowMs()));
      };
      const [explorer, api] = await Promise.all([look(true, explorerWindows), look(false, plans[key.plan])]);
      return { explorer, key: api };
    },
  }),
];
