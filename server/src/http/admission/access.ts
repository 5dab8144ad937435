import type { Permission } from "./permissions.ts";

/** Who may call a route: whoever has an API key, a session of the portal, or nothing at all. */
export type Access =
  /** `permission` is null where any valid key will do. */
  | { by: "key"; permission: Permission | null }
  /** From pages of the portal. Without `required`, whoever is not signed in may call too. */
  | { by: "session"; required: boolean }
  | { by: "anyone" };
