import type { ConnectionOptions } from "@beatmarket/postgres/connection/settings.ts";

/** How a session is called in PostgreSQL. */
export type SessionName = Pick<ConnectionOptions, "applicationName" | "lastMigration">;
