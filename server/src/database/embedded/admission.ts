import type postgres from "postgres";
import { connect, type DatabaseAddress } from "../connection/connect.ts";
import { superuser } from "./postgres/initdb.ts";
import type { Postmaster } from "./postgres/postmaster.ts";

const mainDatabase = "beatmarket";

/** The server's socket, with a database on it. */
export const addressOf = ({ socketDir, port }: Postmaster, database = mainDatabase): DatabaseAddress => ({
  socketDir,
  port,
  user: superuser,
  database,
});

/**
 * Whether the server takes connections; makes our database if it is not there yet. False: it is starting, stopping
 * or gone.
 */
export async function admits(postmaster: Postmaster): Promise<boolean> {
  try {
    await withConnection(addressOf(postmaster), (sql) => sql`select`);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "3D000") {
      await makeDatabase(postmaster);
      return true;
    }
    if (["57P01", "57P03", "ECONNREFUSED", "ECONNRESET", "ENOENT", "CONNECTION_CLOSED"].includes(String(code)))
      return false;
    throw error;
  }
}

async function makeDatabase(postmaster: Postmaster): Promise<void> {
  await withConnection(addressOf(postmaster, "postgres"), async (sql) => {
    await sql.unsafe(`create database ${mainDatabase}`);
    // Errors of statements go to whoever sent them; a second record would only make the server's log grow.
    await sql.unsafe(`alter database ${mainDatabase} set log_min_messages = 'log'`);
  });
}

async function withConnection(address: DatabaseAddress, use: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const connection = connect(address, { max: 1, applicationName: "beatmarket start" });
  try {
    await use(connection.driver);
  } finally {
    await connection.close();
  }
}
