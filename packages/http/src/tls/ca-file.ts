import { join, relative } from "node:path";

const fileName = "ca.pem";

/**
 * The path of the local CA's certificate on this machine. Relative if the file is below the working directory.
 */
export function caFilePath(dataDir: string): string {
  const path = join(dataDir, "tls", fileName);
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("../") ? path : fromHere;
}

/**
 * The path of the CA certificate in code samples. If callers are on other machines, a relative path or only the file
 * name: an absolute path would be wrong there, and would reveal this machine's folders.
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
  const isLocalOnly = [host, new URL(publicUrl).hostname].every((name) => loopback.test(name));
  return isLocalOnly || !path.startsWith("/") ? path : fileName;
}

const loopback = /^(([\w-]+\.)*localhost|127(\.\d+){3}|\[?::1\]?)$/i;
