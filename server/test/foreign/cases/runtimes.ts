import { spawn } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Report } from "../../harness/programmes/report.ts";
import type { Bench } from "../bench.ts";
import type { Case } from "../case.ts";
import { runToSuccess } from "../tools/run.ts";
import { type Tool, tools } from "../tools/versions.ts";

const sources = join(import.meta.dirname, "../callers/javascript-client");
const client = join(import.meta.dirname, "../../../../clients/javascript");
const startTimeoutMs = 10_000;

interface Prepared {
  tool: string;
  /** A folder with the programs and the packed client. */
  cwd: string;
  baseUrl: string;
  key: string;
  caFile: string;
}

/** A case that runs the programs of callers/javascript-client and compares their results with the server's data. */
const runtime = (name: string, tool: Tool, use: (prepared: Prepared) => Promise<string>): Case => ({
  name: `javascript-on-${name}`,
  about: `the JavaScript client on ${name}: a call, a list, an export as it arrives, a verified event`,
  run: async (bench: Bench, report: Report) => {
    const [folder, cwd, market] = [await bench.install(tool), await bench.folder(), await bench.market()];
    const key = await market.key(`${name}@example.com`);
    await cp(sources, cwd, { recursive: true });
    bench.progress("packing the client");
    const packed = await runToSuccess("npm", ["pack", "--silent", "--pack-destination", cwd], { cwd: client });
    await writeFile(join(cwd, "package.json"), '{"private": true, "type": "module"}');
    const file = `./${packed.trim().split("\n").at(-1)}`;
    await runToSuccess("npm", ["install", "--silent", "--offline", "--no-audit", "--no-fund", file], { cwd });
    const baseUrl = `${market.origin}/v1`;
    const used = JSON.parse(await use({ tool: folder, cwd, baseUrl, key, caFile: market.caFile }));
    const { pagination } = await market.call<{ pagination: { total: number } }>(key, "/beats?limit=1");
    const { total } = pagination;
    const refused = "SignatureVerificationError";
    const expected = { id: 1, total, event: "evt_1", refused, exported: total, missing: "NotFoundError" };
    report.check(
      "the client gets the values that the server has",
      JSON.stringify(used) === JSON.stringify(expected),
      JSON.stringify(used),
    );
  },
});

const environment = ({ baseUrl, key }: Prepared) => ({ BEATMARKET_BASE_URL: baseUrl, BEATMARKET_API_KEY: key });

const deno = runtime("deno", tools.deno, (prepared) => {
  const permissions = ["--allow-net", "--allow-env", "--allow-read"];
  const program = join(prepared.tool, "node_modules/@deno/linux-x64-glibc/deno");
  return runToSuccess(program, ["run", ...permissions, "--cert", prepared.caFile, "main.mjs"], {
    cwd: prepared.cwd,
    env: environment(prepared),
  });
});

const bun = runtime("bun", tools.bun, (prepared) =>
  runToSuccess(join(prepared.tool, "node_modules/@oven/bun-linux-x64/bin/bun"), ["main.mjs"], {
    cwd: prepared.cwd,
    env: { ...environment(prepared), NODE_EXTRA_CA_CERTS: prepared.caFile },
  }),
);

const workerd = runtime("workerd", tools.workerd, async ({ tool, cwd, baseUrl, key, caFile }) => {
  const conditions = "--conditions=workerd,worker,browser";
  const bundled = ["worker.mjs", "--bundle", "--format=esm", conditions, "--outfile=bundle.mjs", "--log-level=warning"];
  await runToSuccess(join(tool, "node_modules/.bin/esbuild"), bundled, { cwd });
  await cp(caFile, join(cwd, "ca.pem"));
  await writeFile(
    join(cwd, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "bundle.mjs", esModule = embed "bundle.mjs")],
      compatibilityDate = "2026-01-01",
      bindings = [(name = "apiKey", text = "${key}"), (name = "baseUrl", text = "${baseUrl}")],
      globalOutbound = "net")),
    (name = "net", network = (
      allow = ["private", "public", "local"],
      tlsOptions = (trustedCertificates = [embed "ca.pem"])))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
`,
  );
  const program = join(tool, "node_modules/@cloudflare/workerd-linux-64/bin/workerd");
  const child = spawn(program, ["serve", "--control-fd=1", "config.capnp"], {
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), startTimeoutMs);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const { event, port } = JSON.parse(line);
      if (event !== "listen") continue;
      clearTimeout(timer);
      return await (await fetch(`http://127.0.0.1:${port}/`)).text();
    }
    throw new Error("workerd ended before it listened.");
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
});

export const runtimes: readonly Case[] = [deno, bun, workerd];
