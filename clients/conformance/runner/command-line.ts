/** Scenarios that the command line cannot run, by number, with the reason. */
const reasons: readonly [numbers: readonly number[], reason: string][] = [
  [[22, 24, 48], "each command is a separate process, so there is no object to inspect or share"],
  [[25, 53, 57], "it prints a list when all pages have arrived, and has no pages or iterators"],
  [[49], "it prints the API's JSON, and reads few fields of it"],
  [[62], "environment variables cannot contain NUL; the command line's own tests cover the other characters"],
  [[55], "a shell passes only text"],
  [[60, 61], "sync writes changes into a database, and offers no stream"],
];

/** The reason why the command line cannot run a scenario; undefined if it can. */
export function leftOutByCommandLine(scenario: string): string | undefined {
  if (/verdict|vector|deliver|signature/i.test(scenario)) return "it does not receive webhooks itself";
  if (scenario.startsWith("every operation")) return "operations on files have separate commands";
  const number = Number.parseInt(scenario, 10);
  return reasons.find(([numbers]) => numbers.includes(number))?.[1];
}
