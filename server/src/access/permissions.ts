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

/** Reads names of permissions. Throws 400 for an unknown name, with a similar one. */
export function parsePermissions(names: readonly string[]): Permission[] {
  return names.map((name) => {
    if (!isPermission(name)) throw unknownName("permission", name, permissions);
    return name;
  });
}
