import { Anchor, Group, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ApiKey } from "../keys/queries.ts";
import { endpointsQuery } from "../webhooks/queries.ts";

/** What a newcomer does first, until all of it is done. */
export function FirstSteps({ keys }: { keys: readonly ApiKey[] }) {
  const { data: webhooks } = useQuery({ ...endpointsQuery, refetchInterval: false });
  if (webhooks === undefined) return null;
  const steps = [
    {
      isDone: keys.length > 0,
      what: (
        <Anchor inherit renderRoot={(its) => <Link to="/keys" {...its} />}>
          Make an API key
        </Anchor>
      ),
      why: "Every call carries one.",
    },
    {
      isDone: keys.some(({ last_used_at }) => last_used_at !== null),
      what: (
        <Anchor inherit renderRoot={(its) => <Link to="/explorer" {...its} />}>
          Make a call in the explorer
        </Anchor>
      ),
      why: "Or copy the line below into a terminal.",
    },
    {
      isDone: webhooks.endpoints.length > 0,
      what: (
        <Anchor inherit renderRoot={(its) => <Link to="/webhooks" {...its} />}>
          Receive a webhook
        </Anchor>
      ),
      why: "The built-in inbox needs no server of yours.",
    },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="first-steps">
      <Title order={2} size="h5" id="first-steps" mb="sm">
        First steps
      </Title>
      <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: "none" }}>
        {steps.map(({ isDone, what, why }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps never change places
          <Step key={index} number={index + 1} isDone={isDone} why={why}>
            {what}
          </Step>
        ))}
      </Stack>
    </Paper>
  );
}

interface StepProps {
  number: number;
  isDone: boolean;
  why: string;
  children: ReactNode;
}

function Step({ number, isDone, why, children }: StepProps) {
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
          {why}
        </Text>
      </Text>
    </Group>
  );
}
