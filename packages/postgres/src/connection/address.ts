import type { ClientConfig } from "pg";
import { parse, toClientConfig } from "pg-connection-string";

/**
 * Where a database is: the socket folder of the embedded server, or a URL. A URL may name a socket folder as libpq
 * does, `postgres://user@localhost/database?host=/folder&port=5432`.
 */
export type DatabaseAddress = { url: string } | { socketDir: string; port: number; user: string; database: string };

/** The address as pg takes it. `sslmode` means what it means to libpq. Throws for a text that is no URL. */
export function clientConfig(address: DatabaseAddress): ClientConfig {
  if ("socketDir" in address) {
    const { socketDir, port, user, database } = address;
    return { host: socketDir, port, user, database };
  }
  // pg would take anything for the name of a database on its default host.
  new URL(address.url);
  return toClientConfig(parse(address.url, { useLibpqCompat: true }));
}
