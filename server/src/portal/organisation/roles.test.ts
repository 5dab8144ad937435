import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { type SignedInVisitor, testPortal } from "../../../test/harness/portal.ts";
import { type MemberPermission, mayDo, memberPermissions, roleNames, roles } from "../../access/roles.ts";
import { sessionTusRoutes } from "../../resources/uploads/tus-routes.ts";
import { callsFile } from "../calls/routes.ts";
import { portalRoutes } from "../portal.ts";
import { salesFile } from "../sales/routes.ts";
import { freeDownloadsFile } from "../studio/free-downloads.ts";

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock });
const { driver } = portal.database;

/** A placeholder for dependencies, which only handlers use. */
const anything: never = new Proxy(() => {}, { get: () => anything, apply: () => anything }) as never;
const allRoutes: Route[] = [
  ...portalRoutes(anything),
  callsFile(anything),
  salesFile,
  freeDownloadsFile,
  ...sessionTusRoutes(anything, {}),
];
/** The routes of the account that the session acts as. */
const shared = allRoutes.flatMap(({ method, path, access }) =>
  access.by === "session" && access.required && access.permission !== "self"
    ? [
        {
          method,
          path: path.replace(":upload_id", "up_1").replaceAll(/:\w+/g, "999999"),
          permission: access.permission,
        },
      ]
    : [],
);

let member: SignedInVisitor;
let organisationId = 0;
beforeAll(async () => {
  const owner = await portal.signUp();
  member = await portal.signUp();
  organisationId = (await owner.send("POST", "/organisations", { name: "Acme Records" })).json().id;
});

/** Lets the member act as the organisation with a role, even after calls that ended the membership. */
async function actIn(role: string): Promise<void> {
  clock.advance(60_000);
  await driver`
    insert into organisation_members values (${organisationId}, ${member.userId}, ${role}, now())
    on conflict (organisation_id, user_id) do update set role = excluded.role`;
  await driver`
    update portal_sessions set acting_as = ${organisationId}
    where user_id = (select id from portal_users where user_id = ${member.userId})`;
}

const call = (method: string, path: string) =>
  portal.api.request({
    method: method as "GET",
    url: `/portal/api${path}`,
    headers: { origin: "https://localhost:8443", cookie: member.cookie(), "tus-resumable": "1.0.0" },
  });

describe("the roles", () => {
  test("include an owner with every permission, and each permission is required by a route", () => {
    expect(roles.owner).toEqual(Object.keys(memberPermissions));
    const required = shared.map(({ permission }) => permission as MemberPermission);
    expect([...new Set(required)].sort()).toEqual(Object.keys(memberPermissions).sort());
  });

  test("of owner and developer are the only roles that show and create secrets", () => {
    for (const permission of ["keys:write", "webhooks:write"] as const) {
      expect(mayDo("developer", permission)).toBe(true);
      expect(mayDo("billing", permission)).toBe(false);
      expect(mayDo("viewer", permission)).toBe(false);
    }
    expect(roles.viewer.every((permission) => permission.endsWith(":read"))).toBe(true);
  });

  test.each(roleNames)("decide for a member who is %s on every route", async (role) => {
    for (const { method, path, permission } of shared) {
      await actIn(role);
      const response = await call(method, path);
      // A HEAD response has no body with the reason.
      const isRefused = method === "HEAD" || (response.body !== "" && response.body.includes("Not in your role"));
      const refusedByRole = response.statusCode === 403 && isRefused;
      expect([method, path, refusedByRole]).toEqual([method, path, !mayDo(role, permission)]);
      if (refusedByRole && method !== "HEAD")
        expect(response.json().error.details).toMatch(
          new RegExp(
            `^Your role in Acme Records is ${role}, which may not .+\\. Ask an owner for the role owner.*\\.$`,
          ),
        );
      expect(response.statusCode).not.toBe(500);
    }
  });
});
