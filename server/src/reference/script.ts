import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A script in every encoding it is served in, and a name that changes with its content. */
export interface Script {
  /** For example "scalar-1f0c….js". */
  fileName: string;
  identity: Uint8Array;
  br: Uint8Array;
  gzip: Uint8Array;
}

/** Compresses off the event loop; quality 5 is where brotli stays quick. */
export async function encoded(name: string, script: Buffer): Promise<Script> {
  const hash = createHash("sha256").update(script).digest("hex").slice(0, 16);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    promisify(gzip)(script),
  ]);
  return { fileName: `${name}-${hash}.js`, identity: script, br, gzip: gzipped };
}
