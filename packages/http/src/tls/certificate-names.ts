import type { X509Certificate } from "node:crypto";
import { isIP, isIPv6 } from "node:net";
import { hostname } from "node:os";
import { domainToASCII } from "node:url";

/**
 * The names of a server on this machine: localhost, the loopback addresses, the host name and `hosts`, in canonical
 * form without duplicates. Omits wildcard addresses ("0.0.0.0", "::") and malformed names.
 */
export function certificateNames(hosts: readonly string[]): string[] {
  const names = ["localhost", "127.0.0.1", "::1", hostname(), ...hosts].map(canonical);
  return [...new Set(names)].filter((name) => name !== "" && name !== "0.0.0.0" && name !== "::");
}

/** Whether a certificate has exactly these names, which must be canonical and without duplicates. */
export function isIssuedFor(certificate: X509Certificate, names: readonly string[]): boolean {
  const count = certificate.subjectAltName?.split(", ").length ?? 0;
  const has = (name: string): boolean =>
    isIP(name) === 0
      ? certificate.checkHost(name, { wildcards: false }) !== undefined
      : certificate.checkIP(name) !== undefined;
  return count === names.length && names.every(has);
}

function canonical(host: string): string {
  const name = host.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/s, "");
  if (isIPv6(name)) return new URL(`http://[${name}]`).hostname.slice(1, -1);
  if (isIP(name) !== 0) return name;
  const ascii = domainToASCII(name.toLowerCase().replace(/\.$/, ""));
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(ascii) ? ascii : "";
}
