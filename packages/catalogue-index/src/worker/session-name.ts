import type { ConnectionOptions } from "@beatmarket/postgres/connection/settings.ts";

/** The name of a session in PostgreSQL. */
export type SessionName = Pick<ConnectionOptions, "applicationName" | "lastMigration">;
