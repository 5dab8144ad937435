import type { DatabaseAddress } from "../src/connection/address.ts";

/** The URL of a database address. Writes a socket folder in the form of libpq. */
export function urlOf(address: DatabaseAddress): string {
  if ("url" in address) return address.url;
  const url = new URL(
    `postgres://${encodeURIComponent(address.user)}@localhost/${encodeURIComponent(address.database)}`,
  );
  url.searchParams.set("host", address.socketDir);
  url.searchParams.set("port", String(address.port));
  return url.href;
}
