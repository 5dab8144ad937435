import type { Entry, LocalFileHeader, ZipFile } from "yauzl";
import { unusable } from "../media-task.ts";
import { quotedName } from "./names.ts";

const unicodePathField = 0x7075;
const zip64Field = 1;
const unknown32 = 0xffffffff;
const encryptedFlag = 0x1;
const descriptorFlag = 0x8;
const utf8Flag = 0x800;
/** The sizes of a data descriptor: with and without signature, with sizes of 32 and of 64 bits. */
const descriptorSizes = [12, 16, 20, 24];

/**
 * Checks the layout of an archive. Some programs use the central directory at the end, others the local header before
 * each file, so both must agree. Files must not overlap, and there must be no bytes that the directory does not list.
 */
export class Layout {
  readonly #files: { start: number; end: number; hasDescriptor: boolean }[] = [];

  async add(zip: ZipFile, entry: Entry, path: string): Promise<LocalFileHeader> {
    const header = await zip.readLocalFileHeaderPromise(entry);
    const refuse = (problem: string) =>
      unusable(`The ZIP file contradicts itself about ${problem} of ${quotedName(path)}: pack the stems again.`);
    if (!header.fileName.equals(entry.fileNameRaw) || hasOtherName(header, entry)) throw refuse("the name");
    const differentFlags = header.generalPurposeBitFlag ^ entry.generalPurposeBitFlag;
    if ((differentFlags & (encryptedFlag | utf8Flag)) !== 0 || header.compressionMethod !== entry.compressionMethod)
      throw refuse("the encoding");
    const hasDescriptor = (header.generalPurposeBitFlag & descriptorFlag) !== 0;
    for (const field of ["crc32", "compressedSize", "uncompressedSize"] as const) {
      const isInDescriptor = hasDescriptor && header[field] === 0;
      const isInZip64 = field !== "crc32" && header[field] === unknown32;
      if (!isInDescriptor && !isInZip64 && header[field] !== entry[field]) throw refuse("the size or checksum");
    }
    checkZip64(header, entry, refuse);
    const start = entry.relativeOffsetOfLocalHeader;
    this.#files.push({ start, end: header.fileDataStart + entry.compressedSize, hasDescriptor });
    return header;
  }

  /** Checks that the files do not overlap or leave gaps. `directoryStart` is the offset of the central directory. */
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

/** Parses extra fields. Ignores an incomplete field. */
function* extraFields(bytes: Buffer): Generator<{ id: number; data: Buffer }> {
  for (let offset = 0; offset + 4 <= bytes.length; ) {
    const end = offset + 4 + bytes.readUInt16LE(offset + 2);
    if (end > bytes.length) return;
    yield { id: bytes.readUInt16LE(offset), data: bytes.subarray(offset + 4, end) };
    offset = end;
  }
}

/** Whether the local header has a Unicode name that the central directory lacks, or the directory has two. */
function hasOtherName(header: LocalFileHeader, entry: Entry): boolean {
  const listed = entry.extraFields.filter(({ id }) => id === unicodePathField);
  const local = [...extraFields(header.extraField)].filter(({ id }) => id === unicodePathField);
  return local.some(({ data }) => !listed.some((field) => field.data.equals(data))) || listed.length > 1;
}

/** Checks the 64-bit sizes. The extra field has the uncompressed size first, then the compressed size. */
function checkZip64(header: LocalFileHeader, entry: Entry, refuse: (fault: string) => Error): void {
  const sizes = (["uncompressedSize", "compressedSize"] as const).filter((field) => header[field] === unknown32);
  if (sizes.length === 0) return;
  const field = [...extraFields(header.extraField)].find(({ id }) => id === zip64Field)?.data;
  for (const [index, name] of sizes.entries()) {
    const size = field !== undefined && field.length >= index * 8 + 8 ? Number(field.readBigUInt64LE(index * 8)) : null;
    const isInDescriptor = (header.generalPurposeBitFlag & descriptorFlag) !== 0 && size === 0;
    if (!isInDescriptor && size !== entry[name]) throw refuse("the size");
  }
}
