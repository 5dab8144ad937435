import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RegistryName } from "./versions.ts";

/** Version of Maven's plugin that copies artifacts. */
const mavenDependencyPlugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

type Packages = Readonly<Record<string, string>>;

const versionedNames = (packages: Packages, separator: string): string[] =>
  Object.entries(packages).map(([name, version]) => `${name}${separator}${version}`);

/**
 * For each registry, the commands of its client that install packages into an empty folder, which is the working
 * directory.
 */
export const registries: Record<RegistryName, (packages: Packages, folder: string) => Promise<string[][]>> = {
  /** Makes node_modules/, and runs no script of the packages. */
  npm: async (packages, folder) => {
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    return [
      [
        "npm",
        "install",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        ...versionedNames(packages, "@"),
      ],
    ];
  },

  /** bin/python3, a virtual environment. Its scripts contain the path of the folder, so call modules. */
  PyPI: async (packages) => [
    ["python3", "-m", "venv", "."],
    [
      "bin/python3",
      "-m",
      "pip",
      "install",
      "--quiet",
      "--disable-pip-version-check",
      ...versionedNames(packages, "=="),
    ],
  ],

  /** Makes lib/, with the dependencies of the artifacts. */
  "Maven Central": async (packages, folder) => {
    const dependencies = Object.entries(packages).map(([name, version]) => {
      const [group, artifact] = name.split(":");
      return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
    });
    await writeFile(
      join(folder, "pom.xml"),
      `<project><modelVersion>4.0.0</modelVersion><groupId>foreign</groupId><artifactId>foreign</artifactId><version>1</version>
<dependencies>${dependencies.join("")}</dependencies></project>`,
    );
    return [["mvn", "--batch-mode", "--quiet", `${mavenDependencyPlugin}:copy-dependencies`, "-DoutputDirectory=lib"]];
  },

  /** Installs commands into bin/. For libraries, writes go.mod and go.sum; their sources are in Go's own cache. */
  Go: async (packages, folder) => {
    const commands = versionedNames(packages, "@").filter((name) => name.includes("/cmd/"));
    if (commands.length > 0) return [["env", `GOBIN=${join(folder, "bin")}`, "go", "install", ...commands]];
    await writeFile(join(folder, "go.mod"), "module foreign\n\ngo 1.22\n");
    return [["go", "get", ...versionedNames(packages, "@")]];
  },

  /** Cargo.toml and Cargo.lock; the sources are in Cargo's own cache. */
  "crates.io": async (packages, folder) => {
    await mkdir(join(folder, "src"));
    await writeFile(join(folder, "src/lib.rs"), "");
    const dependencies = Object.entries(packages).map(
      ([name, version]) => `${name} = { version = "=${version}"${crateFeatures[name] ?? ""} }`,
    );
    await writeFile(
      join(folder, "Cargo.toml"),
      `[package]\nname = "foreign"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n${dependencies.join("\n")}\n`,
    );
    return [["cargo", "fetch", "--quiet"]];
  },

  /** gems/, for GEM_PATH. */
  RubyGems: async (packages) => [
    ["gem", "install", "--no-document", "--install-dir", ".", ...versionedNames(packages, ":")],
  ],

  /** vendor/. */
  Packagist: async (packages) => [
    ["composer", "require", "--no-interaction", "--no-scripts", "--no-plugins", ...versionedNames(packages, ":")],
  ],

  /** The unpacked files, in the version of this machine's Debian: usr/bin/. */
  Debian: async (packages) => {
    const download = `apt-get -qq download ${Object.keys(packages).join(" ")}`;
    const unpack = 'for package in *.deb; do dpkg-deb --extract "$package" .; done';
    // If a download fails, there may be no package lists yet. Only root can update them.
    return [
      ["sh", "-c", `${download} || { apt-get -qq update && ${download}; }`],
      ["sh", "-c", unpack],
    ];
  },
};

/** For each crate, only the features that webhook receivers use. */
const crateFeatures: Readonly<Record<string, string>> = {
  svix: ', default-features = false, features = ["http1", "rustls-tls"]',
  axum: ', default-features = false, features = ["http1", "tokio"]',
  tokio: ', features = ["macros", "net", "rt"]',
};
