import { crc32, deflateSync, inflateSync } from "node:zlib";

const signatureBytes = 8;

interface Chunk {
  type: string;
  data: Buffer;
}

/** The same PNG with its pixels compressed at the highest level, and without metadata. */
export function smallerPng(png: Buffer): Buffer {
  const chunks = chunksOf(png);
  const pixels = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  const kept = chunks.filter(({ type }) => ["IHDR", "PLTE", "tRNS"].includes(type));
  const compressed = { type: "IDAT", data: deflateSync(pixels, { level: 9, memLevel: 9 }) };
  const smaller = Buffer.concat([
    png.subarray(0, signatureBytes),
    ...[...kept, compressed, { type: "IEND", data: Buffer.alloc(0) }].map(chunkBytes),
  ]);
  return smaller.length < png.length ? smaller : png;
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signatureBytes; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function chunkBytes({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
