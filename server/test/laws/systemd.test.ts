import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "deploy/systemd");
const run = promisify(execFile);
const units = await Promise.all(
  (await readdir(folder)).map(async (name) => ({ name, text: await readFile(join(folder, name), "utf8") })),
);
const hasSystemd = await run("systemd-analyze", ["--version"]).then(
  () => true,
  () => false,
);

interface Setting {
  section: string;
  name: string;
  value: string;
}

/** The settings of a unit in order. Throws if a line is not a setting. */
function settingsOf(text: string): Setting[] {
  let section = "";
  return text.split("\n").flatMap((line) => {
    if (line === "" || line.startsWith("#")) return [];
    const header = /^\[(Unit|Service|Install)\]$/.exec(line)?.[1];
    if (header !== undefined) {
      section = header;
      return [];
    }
    const [, name, value] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined || section === "") throw new Error(`No setting: ${line}`);
    return [{ section, name, value }];
  });
}

/** The faults that systemd reports in a unit that runs from this repository instead of /opt; empty without faults. */
async function verify(name: string, text: string): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), "units-"));
  onTestFinished(() => rm(scratch, { recursive: true }));
  const path = join(scratch, name);
  await writeFile(path, text.replaceAll("/opt/beatmarket", root));
  const { stderr } = await run("systemd-analyze", ["verify", "--man=no", path]).catch(
    (error: { stderr: string }) => error,
  );
  return stderr;
}

describe.each(units)("$name", ({ name, text }) => {
  const settings = settingsOf(text);
  const valuesOf = (settingName: string) =>
    settings.filter((setting) => setting.name === settingName).map(({ value }) => value);

  test("starts an existing command, on the pinned Node, with accepted settings", () => {
    const [command = ""] = valuesOf("ExecStart");
    const role = name === "beatmarket.service" ? "serve" : "worker";
    expect(command).toBe(`/opt/beatmarket/node_modules/.bin/node server/src/main.ts ${role}`);
    const environment = Object.fromEntries(valuesOf("Environment").map((pair) => pair.split("=") as [string, string]));
    expect(readConfig(environment).dataDir).toBe(`/var/lib/${valuesOf("StateDirectory")[0]}`);
    expect(valuesOf("User")).toEqual(["beatmarket"]);
  });

  test("is confined like the containers: no new privileges, a read-only system, only the capability of low ports", () => {
    expect(valuesOf("CapabilityBoundingSet")).toEqual([name === "beatmarket.service" ? "CAP_NET_BIND_SERVICE" : ""]);
    for (const setting of [
      "NoNewPrivileges",
      "ProtectHome",
      "PrivateDevices",
      "RestrictNamespaces",
      "RestrictSUIDSGID",
    ])
      expect(valuesOf(setting), setting).toEqual(["true"]);
    expect(valuesOf("ProtectSystem")).toEqual(["strict"]);
    expect(valuesOf("UMask")).toEqual(["0077"]);
  });

  test.skipIf(!hasSystemd)("passes the check of systemd", async () => {
    expect(await verify(name, text)).toBe("");
    expect(await verify(name, text.replace("Restart=on-failure", "Restart=perhaps"))).toContain("perhaps");
  });
});

test("a line that is not a setting is detected", () => {
  expect(() => settingsOf("[Service]\nExecStart /bin/true")).toThrow("No setting");
  expect(() => settingsOf("User=root")).toThrow("No setting");
});
