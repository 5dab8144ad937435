import { type KeyboardEvent, useRef, useState } from "react";
import { CopyButton } from "../copy-button.tsx";
import classes from "./json.module.css";
import { JsonNode } from "./json-node.tsx";
import { type Json as JsonValue, type Path, pathText, valueAt } from "./json-values.ts";

interface JsonProps {
  value: JsonValue;
  /** The text to copy; by default the indented JSON of the value. */
  text?: string;
  /** Names the region: "Body of the response". */
  label: string;
  /** The maximum height in CSS pixels. Taller content scrolls. */
  maxHeight?: number | "none";
}

/**
 * A JSON value with collapsible objects and arrays. Only open parts and the beginning of long lists are rendered, so a
 * large response appears as fast as a small one. A click, ↑ or ↓ chooses a line. ← closes the line, and → opens it. The
 * path and the value of the chosen line can be copied.
 */
export function Json({ value, text, label, maxHeight = 480 }: JsonProps) {
  const [selectedPath, selectPath] = useState<Path | null>(null);
  const box = useRef<HTMLElement>(null);
  const lines = () => [...(box.current?.querySelectorAll<HTMLElement>("[data-path]") ?? [])];
  const chooseLine = (line: HTMLElement | null | undefined) => {
    if (line?.dataset.path === undefined) return;
    selectPath(JSON.parse(line.dataset.path) as Path);
    line.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const lineElements = lines();
    const index = lineElements.findIndex(
      ({ dataset }) => selectedPath !== null && dataset.path === JSON.stringify(selectedPath),
    );
    if (event.key === "ArrowDown") chooseLine(lineElements[index + 1]);
    else if (event.key === "ArrowUp") chooseLine(lineElements[Math.max(index - 1, 0)]);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight")
      lineElements[index]?.querySelector<HTMLElement>(`[aria-expanded="${event.key === "ArrowLeft"}"]`)?.click();
    else return;
    event.preventDefault();
  };
  return (
    <div className={classes.frame}>
      <section
        ref={box}
        className={classes.box}
        style={{ maxHeight }}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        dir="ltr"
        onClick={({ target }) => chooseLine((target as Element).closest<HTMLElement>("[data-path]"))}
        onKeyDown={onKeyDown}
      >
        <JsonNode value={value} path={root} siblings={1} isLast selectedPath={selectedPath} />
      </section>
      {selectedPath !== null && <ChosenLine path={selectedPath} value={valueAt(value, selectedPath)} />}
      <div className={classes.copy}>
        <CopyButton value={text ?? JSON.stringify(value, null, 2)} label={`Copy ${label.toLowerCase()}`} />
      </div>
    </div>
  );
}

const root: Path = [];

/** The path and the value of the chosen line, with copy buttons. */
function ChosenLine({ path, value }: { path: Path; value: JsonValue | undefined }) {
  const name = pathText(path);
  return (
    <div className={classes.chosenLine}>
      <span role="status" className={classes.path}>
        {name === "" ? "the whole value" : name}
      </span>
      {name !== "" && <CopyButton value={name} label="Copy path" />}
      <CopyButton value={typeof value === "string" ? value : JSON.stringify(value, null, 2)} label="Copy value" />
    </div>
  );
}
