import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { nearestName } from "@beatmarket/http/input/names.ts";
import type { FilesOnDisk } from "../../resources/beats/from-disk/publish-file.ts";

/**
 * The path as this disk spells it: macOS stores accents separately from their letters (NFD). Null if there is no such
 * file.
 */
async function existingPath(path: string): Promise<string | null> {
  if ((await stat(path).catch(() => null)) !== null) return path;
  if (dirname(path) === path) return null;
  const folder = await existingPath(dirname(path));
  if (folder === null) return null;
  const composed = basename(path).normalize("NFC");
  const [same, ...others] = (await namesIn(folder)).filter((name) => name.normalize("NFC") === composed);
  return same === undefined || others.length > 0 ? null : join(folder, same);
}

async function missing(path: string): Promise<string> {
  const name = basename(path);
  const names = await namesIn(dirname(path));
  const near = names.find((other) => other.startsWith(`${name}.`)) ?? nearestName(name, names);
  return `There is no file ${path}.${near === undefined ? "" : ` Did you mean ${near}?`}`;
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** A row names a file that does not exist. */
export class MissingFile extends Error {}

/** The files of a beat by their paths. Throws a MissingFile. */
export async function filesOf({
  audio,
  cover,
  stems,
}: {
  audio: string;
  cover?: string;
  stems?: string;
}): Promise<FilesOnDisk> {
  const fileAt = async (named: string) => {
    const path = (await existingPath(named)) ?? named;
    const stats = await stat(path).catch(async (error: NodeJS.ErrnoException) => {
      throw new MissingFile(error.code === "ENOENT" ? await missing(named) : `${named}: ${error.message}.`);
    });
    if (!stats.isFile()) throw new MissingFile(`${path} is not a file.`);
    return { path, filename: basename(path).normalize("NFC"), bytes: stats.size };
  };
  return {
    audio: await fileAt(audio),
    ...(cover !== undefined && { cover: await fileAt(cover) }),
    ...(stems !== undefined && { stems: await fileAt(stems) }),
  };
}
