import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../config.ts";
import { browserWarning, curlLine, recordAddress, withServerAddress } from "./run.ts";

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-address-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "locks"));
  return folder;
}

const address = { port: 9443, host: "0.0.0.0", publicUrl: "https://beats.example.com", tls: { mode: "off" } };

test("commands know the address of the server that runs on their data folder, until it stops", async () => {
  const DATA_DIR = await dataFolder();
  const command = readConfig({ DATA_DIR });
  const env = { DATA_DIR, PORT: "9443", HOST: "0.0.0.0", PUBLIC_URL: "https://beats.example.com", TLS: "off" };
  const remove = await recordAddress(readConfig(env));
  expect(withServerAddress(command)).toEqual({ ...command, ...address });
  await remove();
  expect(withServerAddress(command)).toEqual(command);
});

test("a damaged record, or the record of an ended process, changes nothing", async () => {
  const DATA_DIR = await dataFolder();
  const command = readConfig({ DATA_DIR });
  await recordAddress(readConfig({ DATA_DIR, PORT: "9443" }));
  const file = join(DATA_DIR, "locks/server.json");
  const record = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...record, pid: spawnSync("true").pid }));
  expect(withServerAddress(command)).toEqual(command);
  await writeFile(file, '{"pid":');
  expect(withServerAddress(command)).toEqual(command);
});

/** Splits a line into words like a shell. */
const words = (line: string): string[] =>
  execFileSync("/bin/sh", ["-c", `printf '%s\\n' ${line}`], { encoding: "utf8" })
    .trimEnd()
    .split("\n");

const lineFor = (env: Record<string, string>): string => curlLine(readConfig(env), "bm_key", "/search?q=a b&type=all");

describe("the curl line", () => {
  test("trusts the generated CA, in a folder of any name", () => {
    expect(words(lineFor({ DATA_DIR: "/srv/it's data" }))).toEqual([
      "curl",
      "--cacert",
      "/srv/it's data/tls/ca.pem",
      "-H",
      "Authorization: Bearer bm_key",
      "https://localhost:8443/v1/search?q=a b&type=all",
    ]);
    expect(words(lineFor({}))[2]).toBe(".data/tls/ca.pem");
  });

  test("sends X-Forwarded-Proto itself if TLS is off", () => {
    expect(words(lineFor({ TLS: "off", PORT: "8080", HOST: "0.0.0.0" }))).toEqual([
      "curl",
      "-H",
      "X-Forwarded-Proto: https",
      "-H",
      "Authorization: Bearer bm_key",
      "http://localhost:8080/v1/search?q=a b&type=all",
    ]);
  });

  test("uses the address that the server listens on", () => {
    const settings = { TLS_CERT: "c.pem", TLS_KEY: "k.pem" };
    expect(words(lineFor({ ...settings, HOST: "192.0.2.1" })).at(-1)).toMatch(/^https:\/\/192\.0\.2\.1:8443\//);
    expect(words(lineFor({ ...settings, HOST: "2001:db8::1" })).at(-1)).toMatch(/^https:\/\/\[2001:db8::1\]:8443\//);
  });
});

const certificate = { caFile: ".data/tls/ca.pem", platform: "linux", release: "6.1.0" };

test("the lines about the browser's warning say how to continue, and have the command that trusts the CA", () => {
  expect(browserWarning(certificate).join("\n")).toBe(
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
])(
  "the command matches the system %s %s, and docs/operating.md has the command",
  async (platform, release, command) => {
    expect(browserWarning({ ...certificate, platform, release }).join("\n")).toContain(`${command}'.data/tls/ca.pem'`);
    const page = await readFile(new URL("../../../../docs/operating.md", import.meta.url), "utf8");
    expect(page).toContain(`${command}.data/tls/ca.pem`);
  },
);

test("a path with a space is one word of the command", () => {
  expect(browserWarning({ ...certificate, caFile: "/my data/tls/ca.pem" }).join("\n")).toContain(
    "-i '/my data/tls/ca.pem'",
  );
});
