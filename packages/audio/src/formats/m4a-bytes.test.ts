import { expect, test } from "vitest";
import { mediaFile } from "../../testing/files.ts";
import { ByteReader } from "./byte-reader.ts";
import { m4aBytes } from "./m4a-bytes.ts";

function box(name: string, bytes: number, announced = bytes + 8): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(announced);
  head.write(name, 4, "latin1");
  return Buffer.concat([head, Buffer.alloc(bytes)]);
}

async function measure(...parts: Buffer[]): Promise<number> {
  const reader = await ByteReader.open(await mediaFile(Buffer.concat(parts)));
  try {
    return await m4aBytes(reader, 0);
  } finally {
    await reader.close();
  }
}

const head = [box("ftyp", 24), box("moov", 400)];

test("the size counts only the audio data, without other boxes", async () => {
  await expect(measure(...head, box("mdat", 1000))).resolves.toBe(1008);
  await expect(measure(...head, box("moof", 50), box("mdat", 500), box("moof", 50), box("mdat", 500))).resolves.toBe(
    1016,
  );
  await expect(measure(...head, box("mdat", 1000, 0))).resolves.toBe(1008);
  await expect(measure(...head, box("mdat", 1000), box("junk", 30, 0xfffffff0))).resolves.toBe(1008);
});

test.each(["mdat", "moof", "moov"])("a file that is truncated within %s is refused", async (name) => {
  await expect(measure(...head, box(name, 592, 1200))).rejects.toMatchObject({
    reason: "The M4A file is cut off or damaged: only 50 % of its content can be read. Export or upload it again.",
    isFinal: true,
  });
});
