import { join } from "node:path";
import type { Case } from "../case.ts";
import { run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

const callers = join(import.meta.dirname, "../callers");

interface Outcome {
  revision: string;
  tools: string[];
  page: { status?: string };
  requests: string[];
  bought: { status?: string; refusal?: string };
  docs: { parts: { page: string }[] };
}

/** `mode` is the client's mode. `revision` is the protocol revision that the client must negotiate with the server. */
const agent = (mode: "auto" | "legacy", revision: string, buys: boolean): Case => ({
  name: `mcp-python-${mode}`,
  about: `an agent by the Python SDK of the Model Context Protocol, revision ${revision}`,
  run: async (bench, report) => {
    const tool = await bench.install(tools.mcpPython);
    const market = await bench.market();
    const { key } = await market.command<{ key: string }>(
      ...["keys", "create", "--email", `mcp-${mode}@example.com`, "--plan", "internal", "--spending-cap", "100"],
    );
    const env = { BEATMARKET_API_KEY: key };
    const cwd = await bench.folder();
    const { status, output } = await run(
      join(tool, "bin/python3"),
      [join(callers, "mcp_agent.py"), market.origin, market.caFile, mode],
      {
        cwd,
        env,
      },
    );
    report.check("finds, quotes and buys", status === 0, output);
    if (status !== 0) return;
    const outcome = JSON.parse(output.trim().split("\n").at(-1) ?? "") as Outcome;
    report.check("agrees on the revision", outcome.revision === revision, outcome.revision);
    report.check("sees seven tools", outcome.tools.length === 7, outcome.tools.join(", "));
    report.check("gets a page to pay on", outcome.page.status === "waiting_for_payment", JSON.stringify(outcome.page));
    report.check("finds documentation", outcome.docs.parts.length > 0, JSON.stringify(outcome.docs));
    const isRight = buys
      ? outcome.requests.length === 1 && outcome.bought.status === "completed"
      : outcome.requests.length === 0 && outcome.bought.refusal !== undefined;
    const promise = buys ? "buys after the person was asked once" : "cannot buy, because the person cannot be asked";
    report.check(promise, isRight, JSON.stringify([outcome.requests, outcome.bought]));
  },
});

const fastMcp: Case = {
  name: "mcp-fastmcp",
  about: "an agent by FastMCP: tools, a page to pay on, and refusals",
  run: async (bench, report) => {
    const tool = await bench.install(tools.fastMcp);
    const market = await bench.market();
    const { key } = await market.command<{ key: string }>(
      ...["keys", "create", "--email", "mcp-fastmcp@example.com", "--plan", "internal", "--spending-cap", "100"],
    );
    const program = join(callers, "fastmcp_agent.py");
    const { status, output } = await run(join(tool, "bin/python3"), [program, market.origin, market.caFile], {
      cwd: await bench.folder(),
      env: { BEATMARKET_API_KEY: key },
    });
    report.check("finds, quotes and opens a page", status === 0, output);
    if (status !== 0) return;
    const outcome = JSON.parse(output.trim().split("\n").at(-1) ?? "") as Outcome & {
      refused: string;
      unknown: string;
    };
    report.check("sees seven tools", outcome.tools.length === 7, outcome.tools.join(", "));
    report.check("gets a page to pay on", outcome.page.status === "waiting_for_payment", JSON.stringify(outcome.page));
    report.check("finds documentation", outcome.docs.parts.length > 0, JSON.stringify(outcome.docs));
    report.check("reads a refusal", /Beat 999999999 does not exist/.test(outcome.refused), outcome.refused);
    report.check("reads that a tool is unknown", /There is no tool "sell"/.test(outcome.unknown), outcome.unknown);
  },
};

export const agentCases: readonly Case[] = [
  agent("auto", "2026-07-28", true),
  agent("legacy", "2025-11-25", false),
  fastMcp,
];
