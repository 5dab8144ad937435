import { crc32, deflateRawSync } from "node:zlib";

/** A file of an archive, by its path with slashes. */
export interface ArchivedFile {
  path: string;
  content: Buffer;
}

/** 1980-01-01, the earliest moment of a ZIP: the same files are the same bytes. */
const zipDate = 0x0021;
const tarSeconds = 315_532_800;

/** A ZIP of these files. Throws an Error for names that are not ASCII. */
export function zip(files: readonly ArchivedFile[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { path, content } of files) {
    const name = asciiName(path);
    const packed = deflateRawSync(content, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version needed to extract: 2.0
    common.writeUInt16LE(8, 4); // DEFLATE
    common.writeUInt16LE(zipDate, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(0o100644 * 2 ** 16, 6); // a file that everyone may read
    rest.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, name, packed]);
    entries.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), common, rest, name]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** A tar (ustar) of these files. Throws an Error for names that are not ASCII, or longer than 100 bytes. */
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
