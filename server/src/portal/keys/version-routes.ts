import { readVersion, versionField } from "../../access/versions.ts";
import { changeAccountVersion, findAccountVersion } from "../../resources/api-keys/account-versions.ts";
import { pinKey } from "../../resources/api-keys/restrict-key.ts";
import { type PortalRoute, portalRoute, principalOf } from "../route.ts";
import { AccountVersion, ApiKey, KeyId, KeyVersion, NewAccountVersion, readListed } from "./schema.ts";

const tag = "API keys";

/** The dated version of the API to which the account or a key is pinned. */
export const versionRoutes: readonly PortalRoute[] = [
  portalRoute({
    operationId: "getAccountVersion",
    permission: "keys:read",
    method: "GET",
    path: "/keys/version",
    tag,
    summary: "Get the version of the API that the account is pinned to",
    response: AccountVersion,
    handle: async ({ db, account }) => ({ version: await findAccountVersion(db, account.userId) }),
  }),
  portalRoute({
    operationId: "changeAccountVersion",
    permission: "keys:write",
    method: "POST",
    path: "/keys/version",
    tag,
    summary: "Pin the account to another version of the API",
    body: NewAccountVersion,
    response: AccountVersion,
    handle: async ({ db, clock, account, body, author }) => {
      const version = readVersion(body.version, "The version field", "version");
      await changeAccountVersion(db, account.userId, version, author, new Date(clock.nowMs()));
      return { version: version.date };
    },
  }),
  portalRoute({
    operationId: "changeKeyVersion",
    permission: "keys:write",
    method: "POST",
    path: "/keys/:key_id/version",
    tag,
    summary: "Pin a key to a version of the API, or to the account's version",
    params: KeyId,
    body: KeyVersion,
    response: ApiKey,
    refusals: [409],
    handle: async (call) => {
      const { db, clock, params, body } = call;
      const version = body.version === null ? null : versionField(body.version);
      await pinKey(db, params.key_id, version, principalOf(call), new Date(clock.nowMs()));
      return readListed(call);
    },
  }),
];
