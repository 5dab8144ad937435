import { Link } from "@tanstack/react-router";
import { durationLabel } from "../../../display/calls/labels.ts";
import type { FieldValues } from "../call/explorer-call.ts";
import type { ExplorerSearch } from "../explorer-search.ts";
import { MethodLabel } from "./method-label.tsx";
import classes from "./operations.module.css";

/** A call that was sent from this page. */
export interface SentCall {
  /** The number of the call on this page, from 1. */
  number: number;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  operationId: string;
  /** The texts of the form. */
  values: FieldValues;
  /** The address that fills the form with this call. */
  search: ExplorerSearch;
}

export const maxLastCalls = 8;

/** The last calls of this page, newest first; each link fills the form with its call. Renders nothing without any. */
export function LastCalls({ calls, onFill }: { calls: readonly SentCall[]; onFill: (call: SentCall) => void }) {
  if (calls.length === 0) return null;
  return (
    <nav aria-label="Last calls" className={classes.group}>
      <h2 className={classes.heading}>Last calls</h2>
      {calls.map((call) => (
        <Link
          key={call.number}
          to="/explorer"
          search={call.search}
          className={classes.operation}
          onClick={() => onFill(call)}
        >
          <MethodLabel method={call.method} />
          <span className={classes.path}>
            {call.path}
            <span className={classes.outcome}>
              {call.status} · {durationLabel(call.durationMs)}
            </span>
          </span>
        </Link>
      ))}
    </nav>
  );
}
