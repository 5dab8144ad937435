import { drillCommand } from "@beatmarket/webhook-testing/drill-command.ts";
import type { Command } from "commander";
import { sign } from "../../../javascript/src/webhooks.ts";
import type { Run } from "../run.ts";

/** `test …`: tests of programs that use the service. */
export function testCommand(program: Command, run: Run): void {
  const test = program.command("test").description("Test a program that uses the service.");
  drillCommand(test, { sign, run });
}
