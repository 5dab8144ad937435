import { expect, test } from "vitest";
import { sniff } from "./sniff.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["wav", latin1("RIFF\x24\0\0\0WAVEfmt ")],
  ["wav", latin1("RF64\xff\xff\xff\xffWAVEds64")],
  ["wav", latin1("BW64\xff\xff\xff\xffWAVEds64")],
  ["aiff", latin1("FORM\0\0\0\x24AIFFCOMM")],
  ["aiff", latin1("FORM\0\0\0\x24AIFCFVER")],
  ["flac", latin1("fLaC\0\0\0\x22")],
  ["ogg", latin1("OggS\0\x02")],
  ["mp3", latin1("ID3\x04\0\0\0\0\0\0")],
  ["mp3", latin1("\xff\xfb\x90\xc4")],
  ["mp3", latin1("\xff\xf3\x90\xc4")],
  ["mp3", latin1("\xff\xe3\x90\xc4")],
  ["m4a", latin1("\0\0\0\x20ftypM4A ")],
  ["m4a", latin1("\xff\xf1\x50\x80")],
  ["png", latin1("\x89PNG\r\n\x1a\n")],
  ["jpeg", latin1("\xff\xd8\xff\xe0\0\x10JFIF")],
  ["webp", latin1("RIFF\x24\0\0\0WEBPVP8 ")],
  ["zip", latin1("PK\x03\x04\x14\0")],
  ["zip", latin1("PK\x05\x06\0\0")],
  [null, latin1("RIFF\x24\0\0\0AVI LIST")],
  [null, latin1("<html>")],
  [null, latin1("MZ\x90\0")],
  [null, latin1("GIF89a")],
  // Reserved versions, layers and sample rates are not MP3.
  [null, latin1("\xff\xeb\x90\xc4")],
  [null, latin1("\xff\xfd\x90\xc4")],
  [null, latin1("\xff\xfb\x9c\xc4")],
  [null, latin1("\xff\xff\xff\xff")],
  [null, Buffer.alloc(0)],
])("%s is detected by its first bytes", (type, head) => {
  expect(sniff(head)).toBe(type);
});
