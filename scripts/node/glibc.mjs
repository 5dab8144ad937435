/**
 * Throws an Error, whose message says what to do, on a Linux with another C library than glibc: PostgreSQL, Node and
 * the other programs that npm installs are built for glibc.
 * @param {{ platform?: string, glibcVersion?: string }} [machine]
 */
export function requireGlibc({ platform = process.platform, glibcVersion = installedVersion() } = {}) {
  if (platform !== "linux" || glibcVersion !== undefined) return;
  throw new Error(
    "Beat Marketplace needs a Linux with glibc, and this one has another C library, such as musl in Alpine: the PostgreSQL and the programs that npm installs do not run on it. Use a system such as Debian, Ubuntu or Fedora, or the image of the Dockerfile.",
  );
}

function installedVersion() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime;
}
