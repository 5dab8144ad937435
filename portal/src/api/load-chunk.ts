import { checkConnection, connected } from "./connection.ts";
import { reloadDocument } from "./open-document.ts";

/** The server responds but does not have the chunk, which belongs to an older release. */
export class MissingChunk extends Error {
  override readonly name = "MissingChunk";
}

const tries = 2;

/** Imports a chunk. Waits for the end of an outage. Throws MissingChunk if the server does not have the chunk. */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let failures = 0; ; ) {
    await connected();
    try {
      return await load();
    } catch (cause) {
      if (await checkConnection()) failures++;
      if (failures === tries) throw new MissingChunk("A part of the portal could not be loaded.", { cause });
    }
  }
}

const reloadedKey = "beatmarket-reloaded";
const minReloadGapMs = 10_000;

/**
 * Reloads the page to get the chunks of the current release, at most once in ten seconds. Returns whether it reloads.
 */
export function reloadForRelease(): boolean {
  const reloadedAtMs = Number(sessionStorage.getItem(reloadedKey) ?? 0);
  if (Date.now() - reloadedAtMs < minReloadGapMs) return false;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  void reloadDocument();
  return true;
}
