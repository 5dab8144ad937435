import { idempotencyKeyName } from "../call/drafts.ts";
import type { FieldValues } from "../call/explorer-call.ts";
import type { Operation } from "../call/operations.ts";
import { FieldControl } from "./controls/field-control.tsx";
import { RangeControl } from "./controls/range-control.tsx";
import { withRanges } from "./controls/ranges.ts";
import { IdempotencyKeyControl } from "./idempotency-key-control.tsx";
import classes from "./request.module.css";

interface CallFormProps {
  operation: Operation;
  values: FieldValues;
  onChange: (name: string, value: string) => void;
}

/** A control for each parameter and body field, made from its description in the OpenAPI document. */
export function CallForm({ operation, values, onChange }: CallFormProps) {
  return (
    <div className={classes.fields}>
      {withRanges(operation.fields).map((control) => {
        if ("from" in control)
          return (
            <RangeControl
              key={`${operation.id} ${control.name} range`}
              range={control}
              values={values}
              onChange={onChange}
            />
          );
        const Control = control.name === idempotencyKeyName ? IdempotencyKeyControl : FieldControl;
        return (
          <Control
            key={`${operation.id} ${control.name}`}
            field={control}
            value={values[control.name] ?? ""}
            onChange={(value) => onChange(control.name, value)}
          />
        );
      })}
    </div>
  );
}
