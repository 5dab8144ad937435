import { ApiError } from "@beatmarket/foundation/errors.ts";
import { unknownName } from "@beatmarket/http/input/names.ts";

/** The permissions of keys. Each route requires exactly one (docs/api/authentication.md, Permissions). */
export const permissions = [
  "beats:read",
  "beats:write",
  "genres:read",
  "users:read",
  "producers:read",
  "search:read",
  "events:read",
  "orders:read",
  "orders:write",
  "sales:read",
  "requests:read",
  "profile:write",
] as const;
export type Permission = (typeof permissions)[number];

export const isPermission = (name: string): name is Permission => (permissions as readonly string[]).includes(name);

/** Reads names of permissions. Throws 400 for an unknown name; the error suggests a similar one. */
export function parsePermissions(names: readonly string[]): Permission[] {
  return names.map((name) => {
    if (!isPermission(name)) throw unknownName("permission", name, permissions);
    return name;
  });
}

// The roles of an organisation's members, with their permissions (docs/organisations.md, Roles).

/** The permissions that routes of the portal require of a member, with the words by which a refusal names them. */
export const memberPermissions = {
  "account:read": "see the overview and the members",
  "keys:read": "see API keys",
  "keys:write": "create, rotate or revoke API keys",
  "webhooks:read": "see webhooks",
  "webhooks:write": "change webhooks, see their secrets or send deliveries again",
  "calls:read": "see the request log and analytics",
  "explorer:use": "make calls in the explorer",
  "studio:read": "see beats and uploads",
  "studio:write": "upload, publish or withdraw beats",
  "orders:read": "see orders and receipts",
  "orders:write": "buy licenses",
  "sales:read": "see sales",
  "organisation:manage": "manage the organisation, its members and its log",
} as const;

export type MemberPermission = keyof typeof memberPermissions;

const readPermissions = ["account:read", "keys:read", "webhooks:read", "calls:read", "studio:read"] as const;

/** Each role with its permissions. The first has all. */
export const roles = {
  owner: Object.keys(memberPermissions) as MemberPermission[],
  developer: [...readPermissions, "keys:write", "webhooks:write", "explorer:use", "studio:write"],
  billing: ["account:read", "orders:read", "orders:write", "sales:read"],
  viewer: [...readPermissions, "orders:read", "sales:read"],
} as const satisfies Record<string, readonly MemberPermission[]>;

export type Role = keyof typeof roles;
export const roleNames = Object.keys(roles) as Role[];

/** Whether members with a role have a permission. */
export const mayDo = (role: Role, permission: MemberPermission): boolean =>
  (roles[role] as readonly MemberPermission[]).includes(permission);

/** The reason why a role lacks a permission, and the remedy; null if it has the permission. */
export function refusalOf(role: Role, organisation: string, permission: MemberPermission): string | null {
  if (mayDo(role, permission)) return null;
  const others = roleNames.filter((other) => mayDo(other, permission)).join(" or ");
  return `Your role in ${organisation} is ${role}, which may not ${memberPermissions[permission]}. Ask an owner for the role ${others}.`;
}

/** Every permission that a member's role lacks, with the text of `refusalOf`. */
export const refusalsOf = ({ role, name }: { role: Role; name: string }): Partial<Record<MemberPermission, string>> =>
  Object.fromEntries(
    roles.owner.flatMap((permission) => {
      const refusal = refusalOf(role, name, permission);
      return refusal === null ? [] : [[permission, refusal]];
    }),
  );

/** 403 for a member whose role lacks the permission. `details` is the text of `refusalOf`. */
export const roleRefused = (details: string, permission: MemberPermission): ApiError =>
  new ApiError(403, "forbidden", "Not in your role", details, { refusedBy: `role:${permission}` });

/** The permission that a member needs to give a key this permission, or to use a key that has it. */
const neededFor: Record<Permission, MemberPermission> = {
  "beats:read": "account:read",
  "beats:write": "studio:write",
  "genres:read": "account:read",
  "users:read": "account:read",
  "producers:read": "account:read",
  "search:read": "account:read",
  "events:read": "webhooks:read",
  "orders:read": "orders:read",
  "orders:write": "orders:write",
  "sales:read": "sales:read",
  "requests:read": "calls:read",
  "profile:write": "organisation:manage",
};

/** All permissions that a key may have if a member with this role creates it or calls with it. */
export const keyPermissionsOf = (role: Role): Permission[] =>
  permissions.filter((permission) => mayDo(role, neededFor[permission]));

/**
 * Throws 403 if a key with these permissions may do more than the role. `use` completes the sentence "you may not … a
 * key with `orders:write`".
 */
export function requireKeyWithinRole(
  { role, name }: { role: Role; name: string },
  requested: readonly Permission[],
  use: "make" | "rotate" | "use",
): void {
  const excess = requested.find((permission) => !mayDo(role, neededFor[permission]));
  if (excess === undefined) return;
  const needed = neededFor[excess];
  throw roleRefused(
    `Your role in ${name} is ${role}, which may not ${memberPermissions[needed]}, so you may not ${use} a key with the permission ${excess}. Choose a key without it, or ask an owner.`,
    needed,
  );
}
