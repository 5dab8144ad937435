import { Anchor, Group, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ApiKey } from "../../api/keys.ts";
import { endpointsQuery } from "../../api/webhooks.ts";

/** The steps from registration to the first webhook. Hidden once all are done. */
export function FirstSteps({ keys }: { keys: readonly ApiKey[] }) {
  const { data: webhooks } = useQuery({ ...endpointsQuery, refetchInterval: false });
  if (webhooks === undefined) return null;
  const steps = [
    {
      isDone: keys.length > 0,
      action: (
        <Anchor inherit renderRoot={(props) => <Link to="/keys" {...props} />}>
          Make an API key
        </Anchor>
      ),
      reason: "Every call carries one.",
    },
    {
      isDone: keys.some(({ last_used_at }) => last_used_at !== null),
      action: (
        <Anchor inherit renderRoot={(props) => <Link to="/explorer" {...props} />}>
          Make a call in the explorer
        </Anchor>
      ),
      reason: "Or copy the line below into a terminal.",
    },
    {
      isDone: webhooks.endpoints.length > 0,
      action: (
        <Anchor inherit renderRoot={(props) => <Link to="/webhooks" {...props} />}>
          Receive a webhook
        </Anchor>
      ),
      reason: "The built-in inbox needs no server of yours.",
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="first-steps">
      <Title order={2} size="h5" id="first-steps" mb="sm">
        First steps
      </Title>
      <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: "none" }}>
        {steps.map(({ isDone, action, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the steps is fixed
          <Step key={index} number={index + 1} isDone={isDone} reason={reason}>
            {action}
          </Step>
        ))}
      </Stack>
    </Paper>
  );
}

interface StepProps {
  number: number;
  isDone: boolean;
  reason: string;
  children: ReactNode;
}

function Step({ number, isDone, reason, children }: StepProps) {
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon
        size={24}
        radius="xl"
        variant={isDone ? "filled" : "light"}
        {...(isDone && { "aria-label": "Done", role: "img" })}
      >
        {isDone ? <IconCheck size={14} /> : <Text size="xs">{number}</Text>}
      </ThemeIcon>
      <Text size="sm" component="div">
        {children}{" "}
        <Text span inherit c="dimmed">
          {reason}
        </Text>
      </Text>
    </Group>
  );
}
