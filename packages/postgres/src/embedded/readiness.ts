import { sql } from "kysely";
import type { DatabaseAddress } from "../connection/address.ts";
import { connect, type Queryable } from "../connection/connect.ts";
import { superuser } from "./postgres/initdb.ts";
import type { Postmaster } from "./postgres/postmaster.ts";
import { type ownerRole, prepareRoles, type serviceRole } from "./roles.ts";

const mainDatabase = "beatmarket";

export type Role = typeof ownerRole | typeof serviceRole | typeof superuser;

/** The address of a database of the server, for a role. */
export const addressOf = ({ socketDir, port }: Postmaster, user: Role, database = mainDatabase): DatabaseAddress => ({
  socketDir,
  port,
  user,
  database,
});

/**
 * Whether the server accepts connections. False while it is starting or stopping, and after it has ended. Creates the
 * database and its roles if they do not exist yet.
 */
export async function acceptsConnections(postmaster: Postmaster): Promise<boolean> {
  try {
    await withConnection(addressOf(postmaster, superuser), prepareRoles);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "3D000") {
      await createDatabase(postmaster);
      return acceptsConnections(postmaster);
    }
    if (["57P01", "57P03", "ECONNREFUSED", "ECONNRESET", "ENOENT", "CONNECTION_CLOSED"].includes(String(code)))
      return false;
    throw error;
  }
}

async function createDatabase(postmaster: Postmaster): Promise<void> {
  await withConnection(addressOf(postmaster, superuser, "postgres"), async (db) => {
    await sql`create database ${sql.id(mainDatabase)}`.execute(db);
    // Clients get the errors of their statements, so the server's log need not repeat them.
    await sql`alter database ${sql.id(mainDatabase)} set log_min_messages = 'log'`.execute(db);
  });
}

async function withConnection(address: DatabaseAddress, use: (db: Queryable) => Promise<unknown>): Promise<void> {
  const connection = connect(address, { max: 1, applicationName: "embedded start" });
  try {
    await use(connection.query);
  } finally {
    await connection.close();
  }
}
