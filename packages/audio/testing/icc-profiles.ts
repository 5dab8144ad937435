// Color profiles with three primaries and a gamma (ICC.1:2001-04), as in pictures of cameras and editors.

type Xyz = readonly [number, number, number];

/** A number as `s15Fixed16`. */
const fixed = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65_536));
  return bytes;
};
const xyz = (values: Xyz): Buffer => Buffer.concat([Buffer.from("XYZ \0\0\0\0", "latin1"), ...values.map(fixed)]);

function profile(name: string, primaries: readonly [Xyz, Xyz, Xyz], gamma: number): Buffer {
  const curve = Buffer.from([...Buffer.from("curv"), 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  curve.writeUInt16BE(Math.round(gamma * 256), 12);
  const text = Buffer.from(`text\0\0\0\0public domain\0\0\0`, "latin1");
  const description = Buffer.alloc(92 + 12 + 1);
  description.write("desc", "latin1");
  description.writeUInt32BE(name.length + 1, 8);
  description.write(name, 12, "latin1");
  const padded = Buffer.concat([description, Buffer.alloc(4 - (description.length % 4))]);
  const [red, green, blue] = primaries;
  const tags: [string, Buffer][] = [
    ["desc", padded],
    ["cprt", text],
    ["wtpt", xyz([0.9642, 1, 0.8249])],
    ["rXYZ", xyz(red)],
    ["gXYZ", xyz(green)],
    ["bXYZ", xyz(blue)],
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ];
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length);
  let offset = 128 + table.length;
  for (const [index, [tag, body]] of tags.entries()) {
    table.write(tag, 4 + index * 12, "latin1");
    table.writeUInt32BE(offset, 8 + index * 12);
    table.writeUInt32BE(body.length, 12 + index * 12);
    offset += body.length;
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(offset);
  header.writeUInt32BE(0x02400000, 8);
  header.write("mntrRGB XYZ ", 12, "latin1");
  header.write("acsp", 36, "latin1");
  Buffer.concat([0.9642, 1, 0.8249].map(fixed)).copy(header, 68);
  return Buffer.concat([header, table, ...tags.map(([, body]) => body)]);
}

/** The primaries are adapted to D50. */
export const adobeRgb = profile(
  "like Adobe RGB",
  [
    [0.60974, 0.31111, 0.01947],
    [0.20528, 0.62567, 0.06087],
    [0.14919, 0.06322, 0.74457],
  ],
  2.19921875,
);
export const displayP3 = profile(
  "like Display P3",
  [
    [0.51512, 0.2412, -0.00105],
    [0.29198, 0.69225, 0.04189],
    [0.1571, 0.06657, 0.78407],
  ],
  2.2,
);
