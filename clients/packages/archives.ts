import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/** A file of an archive. The path has slashes. */
export interface ArchivedFile {
  path: string;
  content: Buffer;
}

/** The earliest time of a ZIP, in local time. A fixed time makes equal files result in equal bytes. */
const zipTime = new Date(1980, 0, 1);
const tarSeconds = 315_532_800;

/** Creates a ZIP of these files. */
export function zip(files: readonly ArchivedFile[]): Promise<Buffer> {
  const archive = new ZipFile();
  for (const { path, content } of files)
    archive.addBuffer(content, path, { mtime: zipTime, forceDosTimestamp: true, mode: 0o100644 });
  archive.end();
  return buffer(archive.outputStream);
}

/** Creates a tar (ustar) of these files. Throws an Error for names that are not ASCII, or longer than 100 bytes. */
export function tar(files: readonly ArchivedFile[]): Buffer {
  const parts = files.flatMap(({ path, content }) => {
    const header = Buffer.alloc(512);
    const name = asciiName(path);
    if (name.length > 100) throw new Error(`The name ${path} is too long for an archive: shorten it.`);
    const octal = (value: number, at: number, digits: number): void =>
      void header.write(value.toString(8).padStart(digits, "0"), at);
    name.copy(header);
    octal(0o644, 100, 7);
    octal(0, 108, 7);
    octal(0, 116, 7);
    octal(content.length, 124, 11);
    octal(tarSeconds, 136, 11);
    header.write("        0", 148); // the checksum counts itself as spaces
    header.write("ustar\x0000", 257);
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      148,
      6,
    );
    header.write("\x00 ", 154);
    return [header, content, Buffer.alloc(-content.length & 511)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

function asciiName(path: string): Buffer {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (!/^[\x00-\x7f]+$/.test(path)) throw new Error(`The name ${path} is not ASCII: rename the file.`);
  return Buffer.from(path);
}
