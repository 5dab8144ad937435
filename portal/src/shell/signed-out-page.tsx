import { Anchor, Box, Center, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { DocumentLink } from "../display/document-link.tsx";
import { useTitle } from "../display/use-title.ts";
import { words } from "../display/words.tsx";
import { Brand } from "./brand.tsx";
import { ColorSchemeButton } from "./color-scheme-button.tsx";
import { LegalLinks } from "./legal-links.tsx";

interface SignedOutPageProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Links to related pages, below the card. */
  footer?: ReactNode;
}

/** The layout of the signed-out pages: one card in the centre. */
export function SignedOutPage({ title, lead, children, footer }: SignedOutPageProps) {
  useTitle(title);
  return (
    <Box mih="100vh">
      <Group component="header" h={56} px="md" justify="space-between" wrap="nowrap">
        <Brand />
        <ColorSchemeButton />
      </Group>
      <Center component="main" px="md" pt={{ base: "lg", sm: 64 }} pb="xl">
        <Stack w="100%" maw={420} gap="md">
          <Paper withBorder p={{ base: "lg", sm: "xl" }} shadow="sm">
            <Stack gap="md">
              <div>
                <Title order={1} size="h3">
                  {title}
                </Title>
                {lead !== undefined && (
                  <Text c="dimmed" size="sm" mt={4} component="div">
                    {lead}
                  </Text>
                )}
              </div>
              {children}
            </Stack>
          </Paper>
          {footer !== undefined && (
            <Text size="sm" ta="center" component="div">
              {footer}
            </Text>
          )}
          <Text size="xs" c="dimmed" ta="center">
            {words("shell.openWithoutAccount", {
              front: (text) => <DocumentLink href="/">{text}</DocumentLink>,
              catalogue: (text) => (
                <Anchor inherit renderRoot={(props) => <Link to="/market" {...props} />}>
                  {text}
                </Anchor>
              ),
              explorer: (text) => (
                <Anchor inherit renderRoot={(props) => <Link to="/explorer" {...props} />}>
                  {text}
                </Anchor>
              ),
            })}
          </Text>
          <LegalLinks />
        </Stack>
      </Center>
    </Box>
  );
}
