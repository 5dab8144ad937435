import { join, relative } from "node:path";

/**
 * The certificate of the service's own CA, relative to the working directory; null where `dataDir` is not below it, since
 * its path would tell strangers about the machine.
 */
export function relativeCaFile(dataDir: string): string | null {
  const path = relative(process.cwd(), join(dataDir, "tls", "ca.pem"));
  return path.startsWith("../") ? null : path;
}
