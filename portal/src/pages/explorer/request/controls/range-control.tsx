import { TextInput } from "@mantine/core";
import type { FieldValues } from "../../call/explorer-call.ts";
import { commonProps } from "./control-props.tsx";
import classes from "./range-control.module.css";
import { boundEnd, type Range } from "./ranges.ts";
import { TimeControl } from "./time-control.tsx";

interface RangeControlProps {
  range: Range;
  values: FieldValues;
  onChange: (name: string, value: string) => void;
}

/** Both ends of a range. An end that is beyond the other end gets the other end's value when it loses the focus. */
export function RangeControl({ range, values, onChange }: RangeControlProps) {
  const [from, to] = (["from", "to"] as const).map((end) => {
    const field = range[end];
    const value = values[field.name] ?? "";
    const other = values[range[end === "from" ? "to" : "from"].name] ?? "";
    const change = (text: string) => onChange(field.name, text);
    const settle = () => {
      const settled = boundEnd(end, value, other, field.kind);
      if (settled !== value) change(settled);
    };
    if (field.kind === "date-time")
      return <TimeControl key={end} field={field} value={value} onChange={change} onBlur={settle} />;
    return (
      <TextInput
        key={end}
        {...commonProps(field)}
        name={`${field.place}-${field.name}`}
        autoComplete="off"
        inputMode={field.kind === "integer" ? "numeric" : "decimal"}
        value={value}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onBlur={settle}
      />
    );
  });
  return (
    <fieldset className={classes.range}>
      <legend>Range of {range.name}</legend>
      <div className={classes.ends} data-dates={range.from.kind === "date-time" || undefined}>
        {from}
        {to}
      </div>
    </fieldset>
  );
}
