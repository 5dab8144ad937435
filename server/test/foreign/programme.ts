import type { Report } from "../harness/programmes/report.ts";
import type { Bench } from "./bench.ts";
import type { Case } from "./case.ts";
import { agentCases } from "./cases/agents.ts";
import { discountsCase } from "./cases/discounts.ts";
import { generatorCases } from "./cases/generators.ts";
import { invoiceCases } from "./cases/invoices.ts";
import { judgesCase } from "./cases/judges.ts";
import { kubernetesCase } from "./cases/kubernetes.ts";
import { ledgerCase } from "./cases/ledger.ts";
import { licenseCases } from "./cases/licenses.ts";
import { linters } from "./cases/linters.ts";
import { logKillsCase } from "./cases/log-kills.ts";
import { mcpConformanceCases } from "./cases/mcp-conformance.ts";
import { prometheusCases } from "./cases/prometheus.ts";
import { receivers } from "./cases/receivers.ts";
import { rightsCases } from "./cases/rights.ts";
import { runtimes } from "./cases/runtimes.ts";
import { schemathesis } from "./cases/schemathesis.ts";
import { statementCases } from "./cases/statements.ts";
import { systemdCase } from "./cases/systemd.ts";
import { tracesCase } from "./cases/traces.ts";
import { uploadCases } from "./cases/uploads.ts";
import { witnessCase } from "./cases/witness.ts";
import { workflowsCase } from "./cases/workflows.ts";
import { Unavailable } from "./tools/run.ts";

/** All cases, in the order in which they run. Cases with random writes come last. */
export const cases: readonly Case[] = [
  ...linters,
  ...generatorCases,
  ...receivers,
  ...runtimes,
  ...uploadCases,
  ...agentCases,
  ...mcpConformanceCases,
  ledgerCase,
  discountsCase,
  judgesCase,
  tracesCase,
  ...prometheusCases,
  ...licenseCases,
  ...rightsCases,
  witnessCase,
  logKillsCase,
  ...invoiceCases,
  ...statementCases,
  kubernetesCase,
  workflowsCase,
  systemdCase,
  schemathesis,
];

/** Runs a case. An error counts as a failed check, or as skipped if the tool is unavailable. */
export async function play(testCase: Case, bench: Bench, report: Report): Promise<void> {
  report.begin(testCase.name);
  try {
    await testCase.run(bench, report);
  } catch (error) {
    if (error instanceof Unavailable) report.skip("is not installed", error.message);
    else report.check("ends without an error", false, error instanceof Error ? error.message : String(error));
  }
}
