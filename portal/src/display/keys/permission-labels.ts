import type { components } from "../../api/paths.ts";

export type Permission = components["schemas"]["ApiKey"]["permissions"][number];

interface PermissionLabel {
  permission: Permission;
  /** The actions that the permission allows. */
  label: string;
  /** Whether the permission allows only reads. The form selects these permissions by default. */
  isReadOnly: boolean;
}

/** Every permission of a key with its label, in the form's order. */
export const permissionLabels: readonly PermissionLabel[] = [
  { permission: "beats:read", label: "List beats, get a beat and its similar beats", isReadOnly: true },
  { permission: "search:read", label: "Search beats and producers", isReadOnly: true },
  { permission: "genres:read", label: "List genres", isReadOnly: true },
  { permission: "producers:read", label: "List producers", isReadOnly: true },
  { permission: "users:read", label: "Get public profiles", isReadOnly: true },
  { permission: "events:read", label: "Read the events of your account", isReadOnly: true },
  { permission: "orders:read", label: "See the orders of your account", isReadOnly: true },
  { permission: "sales:read", label: "See the sales of your beats, with the buyers' names", isReadOnly: true },
  { permission: "requests:read", label: "Read the request log of your account", isReadOnly: true },
  { permission: "beats:write", label: "Upload files and publish beats in your name", isReadOnly: false },
  { permission: "orders:write", label: "Buy beats in your name", isReadOnly: false },
  { permission: "profile:write", label: "Change your public profile", isReadOnly: false },
];
