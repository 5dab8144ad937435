import { shellWord } from "@beatmarket/foundation/text/shell-word.ts";

export interface OwnCertificate {
  /** The certificate of the CA, as a path for this machine. */
  caFile: string;
  /** As `process.platform`. */
  platform: string;
  /** As `os.release()`, by which a Linux that runs on Windows is known. */
  release: string;
}

/**
 * Prepares for what browsers say of a certificate that this machine made, in lines for the terminal: what they show, how to go
 * on, and how to trust the CA for good (docs/operating.md, The browser's warning). There is no plain HTTP instead: the API refuses it.
 */
export const browserWarning = (own: OwnCertificate): string[] => [
  "Before the first page your browser warns that the connection is not private. That is expected: this machine made the",
  "certificate, and the browser does not know it. The connection is encrypted all the same.",
  "  to continue once:  choose Advanced, then continue to this site",
  `  to trust it:       ${trustCommand(own)}`,
  "                     then restart the browser; other systems and Firefox: docs/operating.md, The browser's warning",
];

function trustCommand({ caFile, platform, release }: OwnCertificate): string {
  const file = shellWord(caFile);
  if (platform === "darwin")
    return `security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${file}`;
  // WSL: the browser is that of Windows.
  if (/microsoft/i.test(release)) return `certutil.exe -user -addstore Root ${file}`;
  return `certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n beatmarket -i ${file}`;
}
