import type { Entry, LocalFileHeader, ZipFile } from "yauzl";
import { unusable } from "../media-task.ts";
import { shown } from "./names.ts";

const unicodePathField = 0x7075;
const zip64Field = 1;
const unknown32 = 0xffffffff;
const [encryptedFlag, descriptorFlag, utf8Flag] = [0x1, 0x8, 0x800];
/** With and without signature, of 32 and of 64 bits. */
const descriptorSizes = [12, 16, 20, 24];

/**
 * The places of an archive's files. Some programs go by the list at the end, some by the header before each file; here
 * both must say the same, and no file may stand where the list knows of none, or inside another.
 */
export class Layout {
  readonly #files: { start: number; end: number; hasDescriptor: boolean }[] = [];

  async add(zip: ZipFile, entry: Entry, path: string): Promise<LocalFileHeader> {
    const header = await zip.readLocalFileHeaderPromise(entry);
    const refuse = (what: string) =>
      unusable(`The ZIP file says two things about ${what} of ${shown(path)}: pack the stems again.`);
    if (!header.fileName.equals(entry.fileNameRaw) || hasOtherName(header, entry)) throw refuse("the name");
    const differing = header.generalPurposeBitFlag ^ entry.generalPurposeBitFlag;
    if ((differing & (encryptedFlag | utf8Flag)) !== 0 || header.compressionMethod !== entry.compressionMethod)
      throw refuse("the encoding");
    const hasDescriptor = (header.generalPurposeBitFlag & descriptorFlag) !== 0;
    for (const field of ["crc32", "compressedSize", "uncompressedSize"] as const) {
      const isLater = hasDescriptor && header[field] === 0;
      const isIn64 = field !== "crc32" && header[field] === unknown32;
      if (!isLater && !isIn64 && header[field] !== entry[field]) throw refuse("the size or checksum");
    }
    checkZip64(header, entry, refuse);
    const start = entry.relativeOffsetOfLocalHeader;
    this.#files.push({ start, end: header.fileDataStart + entry.compressedSize, hasDescriptor });
    return header;
  }

  /** @param directoryStart where the list of files begins */
  check(directoryStart: number): void {
    const files = this.#files.toSorted((a, b) => a.start - b.start);
    let end = 0;
    let hasDescriptor = false;
    for (const next of [...files, { start: directoryStart, end: directoryStart, hasDescriptor: false }]) {
      const gap = next.start - end;
      if (gap < 0)
        throw unusable("The ZIP file has files inside one another, as no program packs them: pack the stems again.");
      if (gap > 0 && !(hasDescriptor && descriptorSizes.includes(gap)))
        throw unusable("The ZIP file has bytes between its files that its list does not name: pack the stems again.");
      ({ end, hasDescriptor } = next);
    }
  }
}

/** Extra fields that are no such fields are left out. */
function* extraFields(bytes: Buffer): Generator<{ id: number; data: Buffer }> {
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt16LE(at + 2);
    if (end > bytes.length) return;
    yield { id: bytes.readUInt16LE(at), data: bytes.subarray(at + 4, end) };
    at = end;
  }
}

/** Whether the header has a Unicode name that the list has not. */
function hasOtherName(header: LocalFileHeader, entry: Entry): boolean {
  const listed = entry.extraFields.filter(({ id }) => id === unicodePathField);
  const local = [...extraFields(header.extraField)].filter(({ id }) => id === unicodePathField);
  return local.some(({ data }) => !listed.some((field) => field.data.equals(data))) || listed.length > 1;
}

/** The sizes of 64 bits: of the unpacked file, then of the packed one. */
function checkZip64(header: LocalFileHeader, entry: Entry, refuse: (what: string) => Error): void {
  const sizes = (["uncompressedSize", "compressedSize"] as const).filter((field) => header[field] === unknown32);
  if (sizes.length === 0) return;
  const field = [...extraFields(header.extraField)].find(({ id }) => id === zip64Field)?.data;
  for (const [index, name] of sizes.entries()) {
    const size = field !== undefined && field.length >= index * 8 + 8 ? Number(field.readBigUInt64LE(index * 8)) : null;
    const isLater = (header.generalPurposeBitFlag & descriptorFlag) !== 0 && size === 0;
    if (!isLater && size !== entry[name]) throw refuse("the size");
  }
}
