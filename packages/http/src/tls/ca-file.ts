import { join, relative } from "node:path";

const fileName = "ca.pem";

/**
 * The certificate of the service's own CA, for use on this machine; a relative path if it is below the working
 * directory.
 */
export function caFilePath(dataDir: string): string {
  const path = join(dataDir, "tls", fileName);
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("../") ? path : fromHere;
}

/**
 * The path of the CA certificate in samples. Callers on other machines have a copy of the file; an absolute path would
 * be wrong there, and would reveal this machine's folders.
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
