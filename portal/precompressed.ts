import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const minBytes = 1_000;

/**
 * Writes a .br and a .gz next to each script, style, SVG and HTML file of `minBytes` or more. The server sends them to
 * browsers that accept them.
 */
export function precompressed(): Plugin {
  return {
    name: "precompressed",
    apply: "build",
    writeBundle: async ({ dir = "" }) => {
      const files = (await readdir(dir, { recursive: true })).filter((file) => /\.(js|css|svg|html)$/.test(file));
      await Promise.all(files.map((file) => compressBeside(join(dir, file))));
    },
  };
}

async function compressBeside(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < minBytes) return;
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await writeFile(`${file}.br`, br);
  await writeFile(`${file}.gz`, gz);
}
