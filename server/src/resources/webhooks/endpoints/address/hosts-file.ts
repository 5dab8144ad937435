import { readFile } from "node:fs/promises";

const hostsFile = "/etc/hosts";

/** The addresses that this machine itself has for a name: hosts(5), and loopback for `localhost` (RFC 6761, 6.3). */
export async function hostsAddresses(name: string, file = hostsFile): Promise<string[]> {
  const wanted = name.toLowerCase().replace(/\.$/, "");
  const text = await readFile(file, "utf8").catch(() => "");
  const listed = text
    .split("\n")
    .map((line) => line.split("#", 1)[0]?.trim().toLowerCase().split(/\s+/) ?? [])
    .filter(([, ...names]) => names.includes(wanted))
    .flatMap(([address = ""]) => address);
  if (listed.length > 0) return listed;
  return wanted === "localhost" || wanted.endsWith(".localhost") ? ["127.0.0.1", "::1"] : [];
}
