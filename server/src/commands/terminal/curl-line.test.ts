import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { curlLine } from "./server-address.ts";

/** Splits a line into words as a shell does. */
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
    const given = { TLS_CERT: "c.pem", TLS_KEY: "k.pem" };
    expect(words(lineFor({ ...given, HOST: "192.0.2.1" })).at(-1)).toMatch(/^https:\/\/192\.0\.2\.1:8443\//);
    expect(words(lineFor({ ...given, HOST: "2001:db8::1" })).at(-1)).toMatch(/^https:\/\/\[2001:db8::1\]:8443\//);
  });
});
