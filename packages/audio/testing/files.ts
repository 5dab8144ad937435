import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates a folder. Removes it at the end of the test. */
export async function mediaFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-media-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a file without an extension. Removes it at the end of the test. */
export async function mediaFile(bytes: Uint8Array): Promise<string> {
  const file = join(await mediaFolder(), "upload");
  await writeFile(file, bytes);
  return file;
}
