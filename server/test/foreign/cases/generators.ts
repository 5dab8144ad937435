import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Report } from "../../harness/programmes/report.ts";
import type { Bench } from "../bench.ts";
import type { Case } from "../case.ts";
import { type Finished, run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const callers = join(import.meta.dirname, "../callers");
/** The query of every caller. */
const query = "/beats?limit=3&sort=popular";

type Command = readonly [program: string, ...args: string[]];

/** A generator of clients. All commands run in one folder, which is empty at first. */
interface Generator {
  name: string;
  about: string;
  /** Installs the generator and all dependencies of its clients. Throws `Unavailable` if that is impossible. */
  install(bench: Bench): Promise<Steps>;
}

interface Steps {
  /** Generates a client from the document. */
  generate(document: string): Command;
  /** Matches output of a generator that did not understand a part of the document. */
  lost?: RegExp;
  /** Writes the caller, and other necessary files, next to the generated code. */
  place(folder: string): Promise<void>;
  /** Commands that compile and check the generated client and the caller. */
  compile: readonly Command[];
  /** Prints id, title and price of each beat of `query`, as JSON. ORIGIN, API_KEY and CA_FILE define the server. */
  call: Command;
  env?: NodeJS.ProcessEnv;
  /** A folder with programs that the generator calls. */
  path?: string;
}

async function openapiGenerator(bench: Bench, generator: string, ...options: string[]): Promise<Steps["generate"]> {
  const tool = await bench.install(tools.openapiGenerator);
  const generated = ["-g", generator, "-o", "generated", ...options];
  return (document) => [
    "java",
    "-cp",
    join(tool, "lib/*"),
    openapiGeneratorMain,
    "generate",
    "-i",
    document,
    ...generated,
  ];
}
const openapiGeneratorMain = "org.openapitools.codegen.OpenAPIGenerator";

/** Type-checks and compiles for Node with TypeScript's strict options. */
const typescript = (tool: string, caller: string): Pick<Steps, "place" | "compile" | "call"> => ({
  place: async (folder) => {
    await symlink(join(tool, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }');
    await cp(join(callers, caller), join(folder, "caller.ts"));
  },
  compile: [
    [
      process.execPath,
      join(tool, "node_modules/typescript/bin/tsc"),
      ...["--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"],
      ...["--lib", "es2022,dom,dom.iterable", "--types", "node", "--outDir", "compiled", "caller.ts"],
    ],
  ],
  call: [process.execPath, "compiled/caller.js"],
});

/** Checks types with mypy, which follows the caller's imports into the generated code. */
const python = (tool: string, caller: string): Pick<Steps, "place" | "compile" | "call" | "env"> => ({
  place: (folder) => cp(join(callers, caller), join(folder, "caller.py")),
  compile: [
    [join(tool, "bin/python3"), "-m", "compileall", "-q", "generated"],
    [join(tool, "bin/python3"), "-m", "mypy", "--ignore-missing-imports", "caller.py"],
  ],
  call: [join(tool, "bin/python3"), "caller.py"],
  env: { PYTHONPATH: "generated", MYPYPATH: "generated" },
});

const generators: readonly Generator[] = [
  {
    name: "openapi-generator-go",
    about: "openapi-generator, in Go",
    install: async (bench) => ({
      generate: await openapiGenerator(
        bench,
        "go",
        "--package-name",
        "beatmarket",
        "--git-user-id",
        "example",
        "--git-repo-id",
        "beatmarket",
      ),
      place: async (folder) => {
        await mkdir(join(folder, "generated/caller"));
        await cp(join(callers, "openapi-generator-go.go"), join(folder, "generated/caller/main.go"));
      },
      compile: [
        ["go", "-C", "generated", "build", "./..."],
        ["go", "-C", "generated", "vet", ".", "./caller"],
        ["go", "-C", "generated", "build", "-o", "../caller", "./caller"],
      ],
      call: ["./caller"],
    }),
  },
  {
    name: "openapi-generator-python",
    about: "openapi-generator, in Python",
    install: async (bench) => ({
      generate: await openapiGenerator(bench, "python"),
      ...python(await bench.install(tools.openapiGeneratorPython), "openapi_generator_python.py"),
    }),
  },
  {
    name: "openapi-generator-typescript",
    about: "openapi-generator, in TypeScript for fetch",
    install: async (bench) => ({
      generate: await openapiGenerator(bench, "typescript-fetch"),
      ...typescript(await bench.install(tools.typescript), "openapi-generator-typescript.ts"),
    }),
  },
  {
    name: "oapi-codegen",
    about: "oapi-codegen, in Go",
    install: async (bench) => {
      const tool = await bench.install(tools.oapiCodegen);
      const runtime = await bench.install(tools.oapiRuntime);
      return {
        // The pruning of the generator considers only paths, so it would drop schemas that only the webhooks use.
        generate: (document) => [
          join(tool, "bin/oapi-codegen"),
          ...["-generate", "types,client,skip-prune", "-package", "beatmarket", "-o", "beatmarket.go", document],
        ],
        place: async (folder) => {
          await cp(runtime, folder, { recursive: true });
          await mkdir(join(folder, "beatmarket"));
          await cp(join(folder, "beatmarket.go"), join(folder, "beatmarket/beatmarket.go"));
          await cp(join(callers, "oapi-codegen.go"), join(folder, "caller/main.go"));
        },
        compile: [
          // A type of "anything" means that the document declares no type. The only exception is an event's data, which
          // is an open object for future event types.
          ["sh", "-c", "! grep -n 'interface{}' beatmarket.go | grep -v 'Data map\\[string\\]interface{}'"],
          ["go", "mod", "tidy"],
          ["go", "vet", "./beatmarket", "./caller"],
          ["go", "build", "-o", "call", "./caller"],
        ],
        call: ["./call"],
      };
    },
  },
  {
    name: "openapi-typescript",
    about: "openapi-typescript, with openapi-fetch",
    install: async (bench) => {
      const tool = await bench.install(tools.openapiTypescript);
      return {
        generate: (document) => [
          process.execPath,
          join(tool, "node_modules/.bin/openapi-typescript"),
          ...[document, "-o", "generated.ts"],
        ],
        ...typescript(tool, "openapi-typescript.ts"),
      };
    },
  },
  {
    name: "hey-api",
    about: "@hey-api/openapi-ts",
    install: async (bench) => {
      const tool = await bench.install(tools.heyApi);
      return {
        generate: (document) => [
          process.execPath,
          join(tool, "node_modules/.bin/openapi-ts"),
          ...["-i", document, "-o", "generated", "-c", "@hey-api/client-fetch"],
        ],
        ...typescript(tool, "hey-api.ts"),
      };
    },
  },
  {
    name: "openapi-python-client",
    about: "openapi-python-client",
    install: async (bench) => {
      const tool = await bench.install(tools.openapiPythonClient);
      return {
        generate: (document) => [
          join(tool, "bin/python3"),
          ...["-m", "openapi_python_client", "generate", "--path", document, "--output-path", "generated"],
          ...["--config", join(callers, "openapi-python-client.yaml")],
        ],
        lost: /warning|unable to|failure/i,
        ...python(tool, "openapi_python_client.py"),
        // The generator formats with ruff.
        path: join(tool, "bin"),
      };
    },
  },
];

/** Generates and compiles a client, and makes one call with it. The result must equal a plain call's result. */
async function tryGenerator(generator: Generator, bench: Bench, report: Report): Promise<void> {
  const steps = await generator.install(bench);
  const market = await bench.market();
  const cwd = await bench.folder();
  const path = [steps.path, process.env.PATH].filter((part) => part !== undefined).join(delimiter);
  const env = { ...steps.env, PATH: path, ORIGIN: market.origin, CA_FILE: market.caFile };

  bench.progress("generating");
  const [program, ...args] = steps.generate(market.document);
  const generated = await run(program, args, { cwd, env });
  const isWhole = generated.status === 0 && !(steps.lost?.test(generated.output) ?? false);
  report.check("the generator generates a client", isWhole, isWhole ? "done" : generated.output);
  if (generated.status !== 0) return;

  bench.progress("compiling");
  await steps.place(cwd);
  for (const [program, ...args] of steps.compile) {
    const { status, output } = await run(program, args, { cwd, env });
    if (status === 0) continue;
    report.check("the client compiles", false, output);
    return;
  }
  report.measure("the client compiles", "done");

  const key = await market.key(`${generator.name}@example.com`);
  const [caller, ...callerArgs] = steps.call;
  const called = await run(caller, callerArgs, {
    cwd,
    env: { ...env, API_KEY: key, SSL_CERT_FILE: market.caFile, NODE_EXTRA_CA_CERTS: market.caFile },
  });
  const { beats } = await market.call<{ beats: { id: number; title: string; price: number }[] }>(key, query);
  const expected = beats.map(({ id, title, price }) => ({ id, title, price }));
  const isSame = called.status === 0 && isDeepStrictEqual(parsed(called), expected);
  report.check(
    "the client lists beats",
    isSame,
    isSame ? `${expected.length} beats as from our own call` : called.output,
  );
}

function parsed({ stdout }: Finished): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout;
  }
}

export const generatorCases: readonly Case[] = generators.map((generator) => ({
  name: generator.name,
  about: `${generator.about}: a client from the served document, compiled, with one call`,
  run: (bench, report) => tryGenerator(generator, bench, report),
}));
