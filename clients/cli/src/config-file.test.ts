import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configFile, readConfig, writeConfig } from "./config-file.ts";
import { clientOptions, serverOf } from "./connection.ts";

let environment: { XDG_CONFIG_HOME: string };
beforeEach(() => {
  environment = { XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), "beatmarket-cli-config-")) };
});
afterEach(() => rmSync(environment.XDG_CONFIG_HOME, { recursive: true }));

const profiles = { "https://one.example": { apiKey: "bm_one" }, "https://two.example": { apiKey: "bm_two" } };

test("only the owner can read the file, even if a file with another mode existed", () => {
  const file = configFile(environment);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "{}");
  chmodSync(file, 0o644);
  writeConfig(environment, { server: "https://one.example", profiles });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(file, ".."))).toEqual(["config.json"]);
  expect(readConfig(environment)).toEqual({ server: "https://one.example", profiles });
});

test("the error of a damaged file names the file and the remedy", () => {
  writeConfig(environment, { profiles });
  writeFileSync(configFile(environment), '{"profiles":');
  expect(() => readConfig(environment)).toThrow(/config\.json cannot be read .* Repair it, or delete it/);
});

test("options come before the environment, and the environment before the last login", () => {
  writeConfig(environment, { server: "https://two.example", profiles });
  const key = (options: object, variables: object = {}) =>
    clientOptions(options, { ...environment, ...variables }).apiKey;
  expect(key({})).toBe("bm_two");
  expect(key({ server: "https://one.example" })).toBe("bm_one");
  expect(key({}, { BEATMARKET_API_KEY: "bm_env" })).toBe("bm_env");
  expect(key({ apiKey: "bm_flag" }, { BEATMARKET_API_KEY: "bm_env" })).toBe("bm_flag");
  expect(serverOf({}, { ...environment, BEATMARKET_BASE_URL: "https://env.example/v1" }).origin).toBe(
    "https://env.example",
  );
});

test("--server takes an http or https address without a user, and a key is used for its server only", () => {
  writeConfig(environment, { server: "https://one.example", profiles });
  expect(() => serverOf({ server: "one.example" }, environment)).toThrow("--server is one.example");
  expect(serverOf({ server: " https://one.example/v1/\n" }, environment).baseUrl).toBe("https://one.example/v1");
  for (const server of [
    "ht\ntps://one.example",
    "https://one.example /x",
    "https://me:pw@one.example",
    "ftp://one.example",
  ])
    expect(() => serverOf({ server }, environment)).toThrow("it takes the address of a server");
  expect(() => clientOptions({ server: "https://three.example" }, environment)).toThrow(
    "There is no API key for https://three.example.",
  );
});
