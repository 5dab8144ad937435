import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconKey } from "@tabler/icons-react";
import type { Home } from "../../../api/home.ts";
import type { ApiKey } from "../../../api/keys.ts";
import { CreateKey } from "../../../display/keys/create-key.tsx";
import { maskedKey } from "../../../display/masked-key.ts";
import { Section } from "../../../display/section.tsx";
import { CallStep } from "./call-step.tsx";
import { FirstSuccess } from "./first-success.tsx";
import { Step } from "./step.tsx";

interface FirstStepsProps {
  /** The active keys. */
  keys: readonly ApiKey[];
  home: Home;
}

/** The steps from registration to the first successful call. All steps take place on this page. */
export function FirstSteps({ keys, home }: FirstStepsProps) {
  const [isCreating, { open, close }] = useDisclosure();
  const [key] = keys;
  const { latest_success: success } = home;
  return (
    <Section title="First steps with the API" note="Two minutes to a call that works.">
      <Stack component="ol" gap={32} p={0} m={0} style={{ listStyle: "none" }}>
        <Step number={1} title="Make an API key" isDone={key !== undefined} isOpen>
          {key === undefined ? (
            <Group gap="sm">
              <Button leftSection={<IconKey size={16} />} onClick={open}>
                Make an API key
              </Button>
              <Text size="sm" c="dimmed">
                Every call carries one.
              </Text>
            </Group>
          ) : (
            <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
              <bdi>{key.name}</bdi>,{" "}
              <Text span inherit ff="monospace">
                {maskedKey(key)}
              </Text>
            </Text>
          )}
          <CreateKey opened={isCreating} onClose={close} />
        </Step>
        <Step number={2} title="Make a call" isDone={success !== null} isOpen={key !== undefined && success === null}>
          <CallStep keys={keys} home={home} />
        </Step>
        <Step number={3} title="See that it worked" isDone={success !== null} isOpen={success !== null}>
          {success !== null && <FirstSuccess call={success} />}
        </Step>
      </Stack>
    </Section>
  );
}
