import type { components } from "../../api/paths.ts";

export type Permission = components["schemas"]["ApiKey"]["permissions"][number];

interface PermissionWords {
  permission: Permission;
  /** What it lets a program do. */
  label: string;
  /** Whether it only reads: those are ticked at first. */
  reads: boolean;
}

/** Every permission of a key in plain words, as the form lists them. */
export const permissionWords: readonly PermissionWords[] = [
  { permission: "beats:read", label: "List beats and see one, and what is like it", reads: true },
  { permission: "search:read", label: "Search beats and producers", reads: true },
  { permission: "genres:read", label: "List genres", reads: true },
  { permission: "producers:read", label: "List producers", reads: true },
  { permission: "users:read", label: "See public profiles", reads: true },
  { permission: "orders:read", label: "See the orders of your account", reads: true },
  { permission: "orders:write", label: "Buy beats in your name", reads: false },
  { permission: "profile:write", label: "Change your public profile", reads: false },
];
