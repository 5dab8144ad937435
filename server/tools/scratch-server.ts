import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type DatabaseAddress } from "../src/database/connect.ts";
import { openEmbedded } from "../src/database/embedded/open-embedded.ts";

export interface ScratchServer {
  /** URL of the server's own database, from which others are made and dropped. */
  url: string;
  close(): Promise<void>;
}

/**
 * A PostgreSQL for tests and tools: the one that TEST_DATABASE_URL names, whose user may create databases, or an
 * embedded one whose folder is gone after `close`.
 */
export async function openScratchServer(): Promise<ScratchServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, close: async () => {} };

  const folder = await mkdtemp(join(tmpdir(), "beatmarket-scratch-"));
  // Open to PostgreSQL's unprivileged user, so that as root, too, everything is in this folder.
  await chmod(folder, 0o755);
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const server = await openEmbedded(folder, () => {});
    const url = urlOf(server.address);
    await forgetDurability(url);
    return { url, close: () => server.close().finally(removeFolder) };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

function urlOf(address: DatabaseAddress): string {
  if ("url" in address) return address.url;
  const url = new URL(
    `postgres://${encodeURIComponent(address.user)}@localhost/${encodeURIComponent(address.database)}`,
  );
  url.searchParams.set("host", address.socketDir);
  url.searchParams.set("port", String(address.port));
  return url.href;
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

// Nothing here has to survive a power cut.
async function forgetDurability(url: string): Promise<void> {
  const server = connect({ url }, { max: 1 });
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes"])
    await server.driver.unsafe(`alter system set ${setting} = off`);
  await server.driver`select pg_reload_conf()`;
  await server.close();
}
