import type { ClientConfig } from "pg";
import { parse, toClientConfig } from "pg-connection-string";

/**
 * The address of a database: the socket folder of the embedded server, or a URL. A URL may name a socket folder in the
 * form of libpq: `postgres://user@localhost/database?host=/folder&port=5432`.
 */
export type DatabaseAddress = { url: string } | { socketDir: string; port: number; user: string; database: string };

/** The address as settings of pg. `sslmode` has libpq's meaning. Throws if the URL is invalid. */
export function clientConfig(address: DatabaseAddress): ClientConfig {
  if ("socketDir" in address) {
    const { socketDir, port, user, database } = address;
    return { host: socketDir, port, user, database };
  }
  // pg would take an invalid URL for the name of a database on the default host.
  new URL(address.url);
  return toClientConfig(parse(address.url, { useLibpqCompat: true }));
}
