import { useState } from "react";
import classes from "./json.module.css";
import { type Json as JsonValue, jsonText, type Path, samePath } from "./json-values.ts";

interface JsonNodeProps {
  value: JsonValue;
  path: Path;
  /** The number of values in the parent. */
  siblings: number;
  isLast: boolean;
  /** The path of the chosen line in the whole JSON text. */
  selectedPath: Path | null;
}

/** A value as one line, or with one line for each of its items between brackets. */
export function JsonNode(props: JsonNodeProps) {
  const { value, path, isLast, selectedPath: selection } = props;
  if (typeof value === "object" && value !== null) return <Collection {...props} value={value} />;
  return (
    <div className={classes.line} {...lineOf(path, selection)}>
      <Name path={path} />
      <span className={value === null || typeof value !== "string" ? classes.constant : classes.string}>
        {jsonText(value)}
      </span>
      {!isLast && ","}
    </div>
  );
}

/** Makes a line selectable. */
const lineOf = (path: Path, selectedPath: Path | null) => ({
  "data-path": JSON.stringify(path),
  "data-chosen": selectedPath !== null && samePath(selectedPath, path) ? true : undefined,
});

function Name({ path }: { path: Path }) {
  const name = path.at(-1);
  if (typeof name !== "string") return null;
  return (
    <>
      <span className={classes.name}>{jsonText(name)}</span>
      {": "}
    </>
  );
}

/**
 * Objects and arrays are open at first at depths 0 to 2, and at depths 3 and 4 if their parent has at most 3 values.
 */
const openDepth = 3;
const openDepthOfFew = 5;
const maxFewSiblings = 3;
/** The number of children that are rendered at first, and that each press of the button adds. */
const step = 100;

function Collection({ value, path, siblings, isLast, selectedPath: selection }: JsonNodeProps & { value: object }) {
  const depth = path.length;
  const isArray = Array.isArray(value);
  const entries: [string | number, JsonValue][] = isArray
    ? value.map((child: JsonValue, index) => [index, child])
    : Object.entries(value);
  const [isOpen, setOpen] = useState(depth < openDepth || (siblings <= maxFewSiblings && depth < openDepthOfFew));
  const [count, setCount] = useState(step);
  const [opening, closing] = isArray ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0)
    return (
      <div className={classes.line} {...lineOf(path, selection)}>
        <Name path={path} />
        {opening + closing}
        {!isLast && ","}
      </div>
    );
  const size = `${entries.length.toLocaleString("en")} ${isArray ? "item" : "field"}${entries.length === 1 ? "" : "s"}`;
  return (
    <div>
      <div className={classes.line} {...lineOf(path, selection)}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-label={`${path.at(-1) ?? (isArray ? "array" : "object")}, ${size}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "▾" : "▸"}
        </button>
        <Name path={path} />
        {opening}
        {!isOpen && (
          <>
            <span className={classes.size}> {size} </span>
            {closing}
            {!isLast && ","}
          </>
        )}
      </div>
      {isOpen && (
        <>
          <div className={classes.children}>
            {entries.slice(0, count).map(([key, child], index) => (
              <JsonNode
                key={key}
                value={child}
                path={[...path, key]}
                siblings={entries.length}
                isLast={index === entries.length - 1}
                selectedPath={selection}
              />
            ))}
            {entries.length > count && (
              <button type="button" className={classes.more} onClick={() => setCount(count + step)}>
                {Math.min(step, entries.length - count)} more of {(entries.length - count).toLocaleString("en")}
              </button>
            )}
          </div>
          <div className={classes.line}>
            {closing}
            {!isLast && ","}
          </div>
        </>
      )}
    </div>
  );
}
