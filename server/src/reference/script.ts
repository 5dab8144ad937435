import { createHash } from "node:crypto";
import { compress } from "../http/negotiation/encodings.ts";

/** A script in every encoding it is served in, and a name that changes with its content. */
export interface Script {
  /** For example "scalar-1f0c….js". */
  fileName: string;
  identity: Uint8Array;
  br: Uint8Array;
  gzip: Uint8Array;
}

export async function encoded(name: string, script: Buffer): Promise<Script> {
  const hash = createHash("sha256").update(script).digest("hex").slice(0, 16);
  const [br, gzip] = await Promise.all([compress(script, "br"), compress(script, "gzip")]);
  return { fileName: `${name}-${hash}.js`, identity: script, br, gzip };
}
