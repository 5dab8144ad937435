import { Box, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { Section } from "./section.tsx";

const shades = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const ramps = ["violet", "gray", "dark", "green", "yellow", "orange", "red"] as const;
const surfaces = ["--mantine-color-body", "--surface-sunken", "--line", "--line-strong"] as const;

export function Type() {
  return (
    <Section title="Type">
      <Stack gap="xs">
        {([1, 2, 3, 4] as const).map((order) => (
          <Title key={order} order={3} size={`h${order}`}>
            h{order}: Hamburgefonstiv 0123456789
          </Title>
        ))}
        {(["lg", "md", "sm", "xs"] as const).map((size) => (
          <Text key={size} size={size}>
            {size}: A beat is a piece of music without words, 124 BPM in A minor, from $29.90. Ünïcödé, Привет
          </Text>
        ))}
        <Text size="sm" ff="monospace">
          mono: bm_Wz95…GeJr req_01M7WD7TG0 GET /v1/beats?genre=3 0O 1lI
        </Text>
      </Stack>
    </Section>
  );
}

export function Colours() {
  return (
    <Section title="Colours and surfaces">
      <Stack gap={4}>
        {ramps.map((ramp) => (
          <Group key={ramp} gap={4} wrap="nowrap">
            <Text size="xs" w={56} c="dimmed">
              {ramp}
            </Text>
            {shades.map((shade) => (
              <Box key={shade} h={28} flex={1} bg={`${ramp}.${shade}`} style={{ borderRadius: 4 }} />
            ))}
          </Group>
        ))}
      </Stack>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {surfaces.map((name) => (
          <Box
            key={name}
            p="sm"
            style={{ background: `var(${name})`, border: "1px solid var(--line)", borderRadius: 6 }}
          >
            <Text size="xs">{name}</Text>
          </Box>
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {[1, 2, 3].map((step) => (
          <Box key={step} p="md" style={{ boxShadow: `var(--elevation-${step})`, borderRadius: 6 }}>
            <Text size="xs">elevation {step}</Text>
          </Box>
        ))}
      </SimpleGrid>
    </Section>
  );
}
