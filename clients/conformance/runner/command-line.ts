/** Scenarios that the command line cannot run, by number, with the reason. */
const reasons: readonly [numbers: readonly number[], reason: string][] = [
  [[22, 24, 48], "each command is a process of its own: there is no object to inspect, and nothing to share"],
  [[25, 53, 57], "it prints a list at its end, and keeps no page and no iterator"],
  [[49, 50], "it does not receive webhooks itself"],
  [[62], "a variable of the environment has no NUL; its own tests have the rest"],
  [[55], "a shell passes words, which have no types"],
  [[60, 61], "sync follows the changes into a database, and streams nothing"],
];

/** The reason why the command line cannot run a scenario; undefined if it can. */
export function leftOutByCommandLine(scenario: string): string | undefined {
  if (/verdict|vector|deliver|signature/i.test(scenario)) return "it does not receive webhooks itself";
  if (scenario.startsWith("every operation")) return "the left out ones are those of files";
  const number = Number.parseInt(scenario, 10);
  return reasons.find(([numbers]) => numbers.includes(number))?.[1];
}
