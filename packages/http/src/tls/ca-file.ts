import { join, relative } from "node:path";

const fileName = "ca.pem";

/** The certificate of the service's own CA, for this machine: relative to the working directory where it is below it. */
export function caFilePath(dataDir: string): string {
  const path = join(dataDir, "tls", fileName);
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("../") ? path : fromHere;
}

/**
 * The certificate of the service's own CA as samples name it. Callers elsewhere have a copy of the file; an absolute path
 * would be wrong there, and would tell strangers about this machine.
 */
export function caFileForCallers({
  dataDir,
  host,
  publicUrl,
}: {
  dataDir: string;
  host: string;
  publicUrl: string;
}): string {
  const path = caFilePath(dataDir);
  const areHere = [host, new URL(publicUrl).hostname].every((name) => loopback.test(name));
  return areHere || !path.startsWith("/") ? path : fileName;
}

const loopback = /^(([\w-]+\.)*localhost|127(\.\d+){3}|\[?::1\]?)$/i;
