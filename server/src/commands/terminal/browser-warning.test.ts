import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { browserWarning } from "./browser-warning.ts";

const own = { caFile: ".data/tls/ca.pem", platform: "linux", release: "6.1.0" };

test("the warning of the browser is announced with what to click, the CA's file and the command that trusts it", () => {
  expect(browserWarning(own).join("\n")).toBe(
    `Before the first page your browser warns that the connection is not private. That is expected: this machine made the
certificate, and the browser does not know it. The connection is encrypted all the same.
  to continue once:  choose Advanced, then continue to this site
  to trust it:       certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n beatmarket -i '.data/tls/ca.pem'
                     then restart the browser; other systems and Firefox: docs/operating.md, The browser's warning`,
  );
});

test.each([
  ["darwin", "24.0.0", "security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db "],
  ["linux", "5.15.153.1-microsoft-standard-WSL2", "certutil.exe -user -addstore Root "],
  ["linux", "6.1.0", "certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n beatmarket -i "],
])("the command is that of the system: %s %s, and docs/operating.md has it", async (platform, release, command) => {
  expect(browserWarning({ ...own, platform, release }).join("\n")).toContain(`${command}'.data/tls/ca.pem'`);
  const page = await readFile(new URL("../../../../docs/operating.md", import.meta.url), "utf8");
  expect(page).toContain(`${command}.data/tls/ca.pem`);
});

test("a path with a space is one word of the command", () => {
  expect(browserWarning({ ...own, caFile: "/my data/tls/ca.pem" }).join("\n")).toContain("-i '/my data/tls/ca.pem'");
});
