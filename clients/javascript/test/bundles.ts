import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild-wasm";

/** The imports of a page, and the ceiling of their bytes, minified and compressed with Brotli. */
export const parts = {
  "the whole import": { source: 'export * from "beatmarket";', mostBytes: 16_700 },
  "one call": {
    source: `import { BeatMarket } from "beatmarket";
      export const title = async (apiKey, id) => (await new BeatMarket({ apiKey }).beats.get(id)).title;`,
    mostBytes: 16_600,
  },
  webhooks: {
    source: `import { webhooks } from "beatmarket";
      export const receive = (body, headers, secret) => webhooks.unwrap(body, headers, secret);`,
    mostBytes: 2_700,
  },
};

/** The bytes of a program that is bundled for a browser, in a folder where it finds the client. */
export async function bundleBytes(source: string, folder: string): Promise<number> {
  const stdin = { contents: source, resolveDir: folder };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: "esm", write: false });
  return brotliCompressSync(outputFiles[0]?.contents ?? "").length;
}
