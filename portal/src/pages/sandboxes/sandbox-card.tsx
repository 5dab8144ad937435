import { Button, Code, Group, Paper, Stack, Text } from "@mantine/core";
import { IconCopy, IconTrash } from "@tabler/icons-react";
import { CopyButton } from "../../display/copy-button.tsx";
import { FutureTime } from "../../display/relative-time.tsx";
import { AdvanceForm } from "./advance-form.tsx";
import { ClockTime } from "./clock-time.tsx";
import type { Sandbox } from "./sandboxes.ts";

interface SandboxCardProps {
  sandbox: Sandbox;
  isForking: boolean;
  onFork: () => void;
  onDelete: () => void;
}

/** A sandbox: the clock, the form that advances it, and the actions. */
export function SandboxCard({ sandbox, isForking, onFork, onDelete }: SandboxCardProps) {
  const { id, seed, catalogue, now, expires_at } = sandbox;
  return (
    <Paper withBorder p="md" component="article" aria-label={`Sandbox ${seed}`}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Stack gap={2} miw={0} style={{ flex: "1 1 220px" }}>
            <Text fw={600} size="lg">
              <ClockTime at={now} />
            </Text>
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              Seed{" "}
              <b dir="auto" lang="">
                {seed}
              </b>
              , {catalogue === "demo" ? "500 invented beats" : "no beats"}
            </Text>
            <Group gap={4}>
              <Code>{id}</Code>
              <CopyButton value={id} label="Copy the id" />
            </Group>
          </Stack>
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconCopy size={14} />}
              loading={isForking}
              onClick={onFork}
            >
              Fork
            </Button>
            <Button size="xs" variant="default" c="red" leftSection={<IconTrash size={14} />} onClick={onDelete}>
              Delete
            </Button>
          </Group>
        </Group>
        <AdvanceForm sandbox={sandbox} />
        <Text size="xs" c="dimmed">
          Unused, it is deleted <FutureTime at={expires_at} />.
        </Text>
      </Stack>
    </Paper>
  );
}
