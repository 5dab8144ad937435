import { Button, TextInput } from "@mantine/core";
import { IconChevronDown, IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import type { Operation } from "../call/operations.ts";
import { MethodLabel } from "./method-label.tsx";
import classes from "./operations.module.css";

interface OperationListProps {
  operations: readonly Operation[];
  selected: Operation;
  /** Content below the operations. */
  children?: ReactNode;
}

/** The operations as links in groups, with a filter. On a narrow window a button opens them. */
export function OperationList({ operations, selected, children }: OperationListProps) {
  const [isOpen, setOpen] = useState(false);
  const [filter, setFilter] = useState("");
  const opener = useRef<HTMLButtonElement>(null);
  const matching = operations.filter((operation) => matches(operation, filter));
  return (
    <div className={classes.pane}>
      <Button
        ref={opener}
        className={classes.opener ?? ""}
        variant="default"
        fullWidth
        justify="space-between"
        rightSection={<IconChevronDown size={16} />}
        aria-expanded={isOpen}
        aria-controls="explorer-operations"
        onClick={() => setOpen(!isOpen)}
      >
        {operations.length} operations
      </Button>
      <div id="explorer-operations" className={classes.list} data-open={isOpen || undefined}>
        <TextInput
          size="xs"
          type="search"
          aria-label="Filter operations"
          placeholder="Filter"
          leftSection={<IconSearch size={14} />}
          value={filter}
          onChange={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <nav aria-label="Operations">
          {[...Map.groupBy(matching, ({ tag }) => tag)].map(([tag, tagged]) => (
            <section key={tag} className={classes.group}>
              <h2 className={classes.heading}>{tag}</h2>
              {tagged.map(({ id, method, path, summary }) => (
                <Link
                  key={id}
                  to="/explorer"
                  search={{ operation: id }}
                  className={classes.operation}
                  title={summary}
                  aria-current={id === selected.id ? "page" : undefined}
                  onClick={() => {
                    if (isOpen) opener.current?.focus();
                    setOpen(false);
                  }}
                >
                  <MethodLabel method={method} />
                  <span className={classes.path}>{breakable(path)}</span>
                </Link>
              ))}
            </section>
          ))}
        </nav>
        <p role="status" className={classes.none}>
          {matching.length === 0 && `No operation matches “${filter.trim()}”.`}
        </p>
        {children}
      </div>
    </div>
  );
}

/** A path that breaks before its slashes. */
const breakable = (path: string): ReactNode =>
  path.split(/(?=\/)/).flatMap((piece, index) => (index === 0 ? [piece] : [<wbr key={piece} />, piece]));

/** Whether every word of the filter is in the method, path, summary, id or tag of an operation. */
function matches({ id, method, path, summary, tag }: Operation, filter: string): boolean {
  const text = `${method} ${path} ${summary} ${id} ${tag}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
