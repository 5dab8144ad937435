import { crc32, deflateRawSync } from "node:zlib";

export interface RawEntry {
  name: string | Buffer;
  bytes: Buffer;
  // Values of the local header that differ from the central directory.
  localName?: string | Buffer;
  localMethod?: number;
  localBytes?: number;
  /** The compression method; by default 8, Deflate. */
  method?: number;
  /** The bytes to store; by default `bytes`, compressed if the method is Deflate. */
  packed?: Buffer;
  flags?: number;
  attributes?: number;
  extra?: Buffer;
  localExtra?: Buffer;
  /** Whether sizes and checksum are in a data descriptor after the file. */
  hasDescriptor?: boolean;
  /** Whether the local header has 64-bit sizes, as programs write them to a pipe. */
  is64?: boolean;
  /** Whether the central directory omits the file. */
  isHidden?: boolean;
}

const unknown32 = 0xffffffff;

/** Writes a ZIP file whose headers may be wrong. `gap` is written after each file. */
export function rawZip(entries: readonly RawEntry[], { gap = Buffer.alloc(0) } = {}): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  const push = (part: Buffer) => {
    parts.push(part);
    offset += part.length;
  };
  for (const entry of entries) {
    const { bytes, method = 8, attributes = 0, extra = Buffer.alloc(0), hasDescriptor = false, is64 = false } = entry;
    const packed = entry.packed ?? (method === 8 ? deflateRawSync(bytes) : bytes);
    const [name, localName] = [Buffer.from(entry.name), Buffer.from(entry.localName ?? entry.name)];
    const flags = (entry.flags ?? 0x800) | (hasDescriptor ? 8 : 0);
    const sizes = Buffer.alloc(16);
    sizes.writeBigUInt64LE(BigInt(bytes.length));
    sizes.writeBigUInt64LE(BigInt(packed.length), 8);
    const field = is64 ? Buffer.concat([Buffer.from([1, 0, 16, 0]), sizes]) : Buffer.alloc(0);
    const localExtra = Buffer.concat([field, entry.localExtra ?? extra]);
    const start = offset;
    const local = Buffer.alloc(30);
    local.write("PK\x03\x04", "latin1");
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(entry.localMethod ?? method, 8);
    local.writeUInt32LE(hasDescriptor ? 0 : crc32(bytes), 14);
    const sizeInHeader = (size: number): number => {
      if (is64) return unknown32;
      return hasDescriptor ? 0 : size;
    };
    local.writeUInt32LE(sizeInHeader(packed.length), 18);
    local.writeUInt32LE(sizeInHeader(entry.localBytes ?? bytes.length), 22);
    local.writeUInt16LE(localName.length, 26);
    local.writeUInt16LE(localExtra.length, 28);
    for (const part of [local, localName, localExtra, packed]) push(part);
    if (hasDescriptor) {
      const descriptor = Buffer.alloc(16);
      descriptor.write("PK\x07\x08", "latin1");
      descriptor.writeUInt32LE(crc32(bytes), 4);
      descriptor.writeUInt32LE(packed.length, 8);
      descriptor.writeUInt32LE(bytes.length, 12);
      push(descriptor);
    }
    push(gap);
    if (entry.isHidden) continue;
    const central = Buffer.alloc(46);
    central.write("PK\x01\x02", "latin1");
    central.writeUInt16LE(0x0314, 4);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(crc32(bytes), 16);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(bytes.length, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(attributes, 38);
    central.writeUInt32LE(start, 42);
    list.push(central, name, extra);
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  const count = entries.filter(({ isHidden }) => isHidden !== true).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}
