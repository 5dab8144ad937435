import { checkConnection, connected } from "./connection.ts";

/** Resolves once the server answers, also when nobody has noticed yet that it is away. */
async function reachable(): Promise<void> {
  if (!(await checkConnection())) await connected();
}

/**
 * Leaves the portal for another document of this server, once that can be had: in an outage the browser's own error page would
 * take the place of this one, and not go on by itself.
 */
export async function openDocument(address: string): Promise<void> {
  await reachable();
  location.assign(address);
}

/** Loads this page again, once the server answers. */
export async function reloadDocument(): Promise<void> {
  await reachable();
  location.reload();
}
