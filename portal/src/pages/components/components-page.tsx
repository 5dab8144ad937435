import { Container, DirectionProvider, Group, Stack, Switch, Text, Title, useDirection } from "@mantine/core";
import { useTitle } from "../../display/use-title.ts";
import { ColorSchemeButton } from "../../shell/color-scheme-button.tsx";
import { Charts } from "./charts.tsx";
import { Code, Empty, Panels, Tables } from "./content.tsx";
import { Actions, Fields, Messages, Overlays } from "./controls.tsx";
import { Colours, Type } from "./foundations.tsx";

/** Every component in every state (see portal/DESIGN.md). The page exists only in development. */
export function ComponentsPage() {
  return (
    <DirectionProvider>
      <Components />
    </DirectionProvider>
  );
}

function Components() {
  const { dir, setDirection } = useDirection();
  useTitle("Components");
  return (
    <Container size={1000} py="xl" component="main">
      <Stack gap={48}>
        <Group justify="space-between">
          <div>
            <Title order={1} size="h2">
              Components
            </Title>
            <Text size="sm" c="dimmed">
              portal/DESIGN.md says what each is for.
            </Text>
          </div>
          <Group gap="sm">
            <Switch
              label="Right to left"
              checked={dir === "rtl"}
              onChange={({ currentTarget }) => setDirection(currentTarget.checked ? "rtl" : "ltr")}
            />
            <ColorSchemeButton />
          </Group>
        </Group>
        <Type />
        <Colours />
        <Actions />
        <Fields />
        <Messages />
        <Panels />
        <Tables />
        <Charts />
        <Code />
        <Empty />
        <Overlays />
      </Stack>
    </Container>
  );
}
