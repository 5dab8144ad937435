import { ActionIcon, Group, Title } from "@mantine/core";
import { IconArrowDown, IconArrowLeft, IconArrowUp, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useEffect, useId } from "react";
import { callQuery } from "../../../api/calls.ts";
import { CopyButton } from "../../../display/copy-button.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import classes from "./call-inspector.module.css";
import { CallView } from "./call-view.tsx";

/** The states of unfinished deliveries. An entry with such a delivery is polled. */
const unfinishedStates = new Set(["pending", "sending"]);
const pollMs = 2_000;

interface CallInspectorProps {
  id: number;
  headingRef: RefObject<HTMLHeadingElement | null>;
  /** Opens the call above or below in the list; undefined at the ends of the list. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

/** The open entry: next to the list, or in place of it on a small screen. */
export function CallInspector({ id, headingRef, onPrevious, onNext, onClose }: CallInspectorProps) {
  const headingId = useId();
  const call = useQuery({
    ...callQuery(id),
    refetchInterval: ({ state }) =>
      state.data?.events.some(({ deliveries }) => deliveries.some((delivery) => unfinishedStates.has(delivery.state)))
        ? pollMs
        : false,
  });
  // On a small screen the list is hidden, and with it the focused element.
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.checkVisibility() === false)
      headingRef.current?.focus();
  }, [headingRef]);
  return (
    <section className={classes.inspector} aria-labelledby={headingId}>
      <Group justify="space-between" wrap="nowrap" className={classes.bar}>
        <Group gap={4} wrap="nowrap">
          <span className={classes.back}>
            <Control label="Back to the log" icon={<IconArrowLeft size={18} />} onClick={onClose} />
          </span>
          <Title order={2} size="h3" id={headingId} ref={headingRef} tabIndex={-1} className={classes.heading}>
            Call
          </Title>
          <CopyButton value={window.location.href} label="Copy link to this call" />
        </Group>
        <Group gap={4} wrap="nowrap">
          <Control label="Previous call (k)" icon={<IconArrowUp size={18} />} onClick={onPrevious} />
          <Control label="Next call (j)" icon={<IconArrowDown size={18} />} onClick={onNext} />
          <span className={classes.close}>
            <Control label="Close the call" icon={<IconX size={18} />} onClick={onClose} />
          </span>
        </Group>
      </Group>
      {call.isError ? (
        <ErrorAlert error={call.error} onRetry={() => call.refetch()} />
      ) : call.data === undefined ? (
        <RowsSkeleton rows={8} />
      ) : (
        <CallView call={call.data} />
      )}
    </section>
  );
}

/** Stays focusable when inactive, so that it keeps the focus at the end of the list. */
const Control = ({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: (() => void) | undefined }) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={32}
    aria-label={label}
    title={label}
    aria-disabled={onClick === undefined}
    {...(onClick === undefined && { "data-disabled": true })}
    onClick={onClick}
  >
    {icon}
  </ActionIcon>
);
