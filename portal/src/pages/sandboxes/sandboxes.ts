import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/paths.ts";

export type Sandbox = components["schemas"]["Sandbox"];
export type CreatedSandbox = components["schemas"]["CreatedSandbox"];

/** The most that an account may have. */
export const maxSandboxes = 5;

export const sandboxesQuery = queryOptions({
  queryKey: ["sandboxes"],
  queryFn: () => unwrap(api.GET("/sandboxes")),
});

/** A mutation of sandboxes, after which they are read again, also after a failure: a part may have been done. */
export function useSandboxMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: sandboxesQuery.queryKey }),
  });
}

/** How a sandbox is moved, as the form has it. */
export interface Advance {
  days: number;
  ordersPerDay: number;
  /** Receivers of webhooks are down for so many days from now. */
  outageDays: number;
  /** Of the simulated orders: their refunds bounce. */
  bouncePercent: number;
  /** Of the simulated orders: the buyers' banks dispute them. */
  disputePercent: number;
  /** Of the payouts: they come back. */
  payoutFailPercent: number;
}

/** What an advance did. */
export interface Advanced {
  from: string;
  to: string;
  orders: number;
  refunds: number;
  disputes: number;
  payouts: number;
}

const daySeconds = 86_400;

/** Moves a sandbox, in as many calls as it takes. */
export async function advance(sandbox: Sandbox, request: Advance): Promise<Advanced> {
  const done: Advanced = { from: sandbox.now, to: sandbox.now, orders: 0, refunds: 0, disputes: 0, payouts: 0 };
  let by = `P${request.days}D`;
  for (let isComplete = false; !isComplete; ) {
    const passedSeconds = (Date.parse(done.to) - Date.parse(done.from)) / 1_000;
    const outageSeconds = Math.ceil(request.outageDays * daySeconds - passedSeconds);
    const faults = [
      ...(outageSeconds > 0 ? [{ receiver: "down", from: "PT0S", to: `PT${outageSeconds}S` }] : []),
      ...(request.bouncePercent > 0 ? [{ refunds: "bounce", share: request.bouncePercent / 100 }] : []),
      ...(request.disputePercent > 0 ? [{ disputes: "open", share: request.disputePercent / 100 }] : []),
      ...(request.payoutFailPercent > 0 ? [{ payouts: "fail", share: request.payoutFailPercent / 100 }] : []),
    ];
    const { advance: part } = await unwrap(
      api.POST("/sandboxes/{sandbox_id}/advance", {
        params: { path: { sandbox_id: sandbox.id } },
        body: { by, orders_per_day: request.ordersPerDay, faults },
      }),
    );
    done.to = part.sandbox.now;
    done.orders += part.orders;
    done.refunds += part.refunds;
    done.disputes += part.disputes;
    done.payouts += part.payouts;
    by = part.remaining;
    isComplete = part.is_complete;
  }
  return done;
}
