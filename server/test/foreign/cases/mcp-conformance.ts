import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Case } from "../case.ts";
import { type StandIns, startMcpAdapter } from "../mcp-adapter.ts";
import { run } from "../tools/run.ts";
import { tools } from "../tools/versions.ts";

/**
 * Checks that cannot pass, with the reason. `scenario:check` names one check. `scenario` names all its checks, except
 * those of the messages' schema.
 */
const inapplicable: Readonly<Record<string, readonly string[]>> = {
  "the server offers only tools, not prompts, resources, completion or logging": [
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
    "completion-complete",
    "logging-set-level",
    "tools-call-with-logging",
    "input-required-result-non-tool-request",
    "caching:sep-2549-prompts-list-caching-hints",
    "caching:sep-2549-resources-list-caching-hints",
    "caching:sep-2549-resources-templates-list-caching-hints",
  ],
  "the server's tools return only text, not pictures, sound, files or progress": [
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-progress",
  ],
  "the only tool that asks the client is `buy`, and it asks for one confirmation, not for sampling, roots or several values":
    [
      "tools-call-sampling",
      "input-required-result-basic-elicitation",
      "input-required-result-basic-sampling",
      "input-required-result-basic-list-roots",
      "input-required-result-multiple-input-requests",
      "input-required-result-multi-round",
      "input-required-result-capability-check",
      "server-stateless:sep-2575-server-rejects-undeclared-capability",
    ],
  "the server cannot ask during a call of the revision 2025-11-25: `buy` refuses such a client and names the alternative":
    ["tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums"],
  "the suite does not score the check, which needs an extension or a tool of its own server": [
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-required-task-error",
    "tasks-mrtr-composition",
    "json-schema-2020-12",
    "http-custom-header-server-validation",
  ],
};

const excused = new Set(Object.values(inapplicable).flat());

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

const isExcused = (scenario: string, { id }: Check) =>
  !id.startsWith("wire-schema") && (excused.has(scenario) || excused.has(`${scenario}:${id}`));

/** `passing` is the number of checks that passed when the suite's version was chosen. */
const conformance = (revision: string, passing: number): Case => ({
  name: `mcp-conformance-${revision}`,
  about: `the conformance suite of the Model Context Protocol, revision ${revision}`,
  run: async (bench, report) => {
    const tool = await bench.install(tools.mcpConformance);
    const { command, origin, caFile } = await bench.market();
    const { key } = await command<{ key: string }>(
      ...["keys", "create", "--email", `mcp-${revision}@example.com`, "--plan", "internal", "--spending-cap", "100"],
    );
    const plainAdapter = await startMcpAdapter({ origin, caFile, key }, {});
    const quote = await quoteBy(plainAdapter.url);
    await plainAdapter.close();
    const buy = { name: "buy", arguments: { quote, payment_method: "pm_card_visa" } };
    const docs = { name: "docs", arguments: { question: "how do I verify a webhook signature?" } };
    const standIns: StandIns = {
      test_simple_text: docs,
      test_logging_tool: docs,
      test_streaming_elicitation: docs,
      test_error_handling: { name: "get_beat", arguments: { beat_id: 999_999_999 } },
      test_input_required_result_elicitation: buy,
      test_input_required_result_request_state: buy,
      test_input_required_result_tampered_state: buy,
      test_missing_capability: buy,
    };
    const adapter = await startMcpAdapter({ origin, caFile, key }, standIns);
    try {
      const cwd = await bench.folder();
      const program = join(tool, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
      const args = [program, "server", "--url", adapter.url, "--requirements", revision, "-o", join(cwd, "results")];
      const { output } = await run(process.execPath, args, { cwd });
      const results = await resultsIn(join(cwd, "results"));
      const checks = results.flatMap(({ scenario, checks }) => checks.map((check) => ({ scenario, ...check })));
      const failed = checks.filter((check) => check.status === "FAILURE" && !isExcused(check.scenario, check));
      const failureTexts = failed.map(({ scenario, id, errorMessage = "" }) => `${scenario}:${id}: ${errorMessage}`);
      report.check("no applicable check fails", failed.length === 0, failureTexts.join("\n") || "no failure");
      const passed = checks.filter(({ status }) => status === "SUCCESS").length;
      report.check(`at least ${passing} checks pass`, passed >= passing, passed === 0 ? output : passed);
      const stale = results.filter(
        ({ scenario, checks }) => excused.has(scenario) && !checks.some(({ status }) => status === "FAILURE"),
      );
      report.check("every excused scenario fails", stale.length === 0, stale.map(({ scenario }) => scenario).join());
    } finally {
      await adapter.close();
    }
  },
});

async function resultsIn(folder: string): Promise<{ scenario: string; checks: Check[] }[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.map(async (name) => ({
      scenario: name.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, ""),
      checks: JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8")) as Check[],
    })),
  );
}

/** Gets a quote for a beat. The calls name the revision 2025-11-25, but begin without its handshake. */
async function quoteBy(url: string): Promise<string> {
  const call = async (name: string, args: object): Promise<unknown> => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
    });
    const text = await response.text();
    const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as {
      result: { content: [{ text: string }] };
    };
    return JSON.parse(result.content[0].text);
  };
  const { beats } = (await call("find_beats", { limit: 1 })) as { beats: [{ id: number }] };
  const { quote } = (await call("quote", { beat_id: beats[0].id })) as { quote: string };
  return quote;
}

export const mcpConformanceCases: readonly Case[] = [conformance("2026-07-28", 109), conformance("2025-11-25", 37)];
