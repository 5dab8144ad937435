import { setTimeout as sleep } from "node:timers/promises";
import { type ComponentId, components } from "../../../src/metrics/status-watch.ts";
import type { Report } from "../../harness/programmes/report.ts";
import { type Address, Client } from "./client.ts";

const shownWithinMs = 10_000;
/** Beyond the limit, so that a slow machine and a page that stays wrong can be distinguished. */
const timeoutMs = 30_000;
const pollMs = 100;

export type ComponentStates = Partial<Record<ComponentId, "operational" | "degraded_performance" | "major_outage">>;

const everyComponent = (state: "operational" | "major_outage"): ComponentStates =>
  Object.fromEntries(components.map(({ id }) => [id, state]));
export const allOperational = everyComponent("operational");
export const allOut = everyComponent("major_outage");

/** Reads the status page as a status board does, and reports how soon it shows the expected states. */
export async function statusWithin(
  report: Report,
  address: Address,
  moment: string,
  expected: ComponentStates,
): Promise<void> {
  const client = new Client(address, "none");
  const fromMs = performance.now();
  let states: ComponentStates = {};
  const isRight = () => Object.entries(expected).every(([id, state]) => states[id as ComponentId] === state);
  while (performance.now() - fromMs < timeoutMs) {
    const { status, body } = await client.getOutsideApi("/api/v2/components.json");
    states =
      status === 200
        ? Object.fromEntries(
            (JSON.parse(body).components as { id: string; status: string }[]).map((each) => [each.id, each.status]),
          )
        : {};
    if (isRight()) break;
    await sleep(pollMs);
  }
  const elapsedMs = performance.now() - fromMs;
  await client.close();
  report.check(`the status page ${moment}`, isRight(), summary(states));
  report.bound(`time until the status page is right ${moment}`, elapsedMs, shownWithinMs, "ms");
}

/** The components that are not operational. */
const summary = (states: ComponentStates): string =>
  Object.entries(states)
    .filter(([, state]) => state !== "operational")
    .map(([id, state]) => `${id} ${state}`)
    .join(", ") || (Object.keys(states).length === 0 ? "no answer" : "operational");
