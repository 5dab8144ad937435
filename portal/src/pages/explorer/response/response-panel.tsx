import { Badge, Button, Group, Paper, Spoiler, Stack, Table, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { CopyButton } from "../../../display/copy-button.tsx";
import { Identifier } from "../../../display/identifier.tsx";
import type { ApiResponse } from "../call/send-call.ts";
import { beatsIn } from "./beat-media.ts";
import { BeatPlayers } from "./beat-players.tsx";
import classes from "./response.module.css";

const maxLength = 200_000;
const statusColors: Record<number, string> = { 2: "teal", 3: "blue", 4: "orange", 5: "red" };

/** The response: status, link to the log, players for its beats, body and headers. */
export function ResponsePanel({ response, isSending }: { response: ApiResponse | null; isSending: boolean }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Response" aria-busy={isSending}>
      {response === null ? (
        <Text size="sm" c="dimmed">
          Press Send to see the response here.
        </Text>
      ) : (
        <ResponseView response={response} />
      )}
    </Paper>
  );
}

/** Escapes characters that change the text direction, as JSON allows. */
const escapeBidi = (text: string): string =>
  text.replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`);

function ResponseView({ response }: { response: ApiResponse }) {
  const { status, durationMs, requestId, text, json } = response;
  const body = escapeBidi(json === undefined ? text : JSON.stringify(json, null, 2));
  const beats = beatsIn(json);
  return (
    <Stack gap="md">
      <Group gap="sm" justify="space-between">
        <Group gap="sm" role="status">
          <Badge size="lg" radius="sm" variant="light" color={statusColors[Math.floor(status / 100)] ?? "gray"}>
            {status}
          </Badge>
          <Text size="sm" c="dimmed">
            {Math.round(durationMs)} ms, {new Blob([text]).size.toLocaleString("en")} bytes
          </Text>
        </Group>
        {requestId !== null && (
          <Group gap="xs">
            <Identifier value={requestId} />
            <Button
              size="compact-sm"
              variant="light"
              renderRoot={(props) => <Link to="/log" search={{ request: requestId }} {...props} />}
            >
              See it in the log
            </Button>
          </Group>
        )}
      </Group>
      {beats.length > 0 && <BeatPlayers beats={beats} />}
      <div className={classes.code}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <pre className={classes.body} tabIndex={0}>
          {body.length > maxLength ? `${body.slice(0, maxLength)}\n… ${body.length - maxLength} characters more` : body}
        </pre>
        <div className={classes.copy}>
          <CopyButton value={body} label="Copy the body" />
        </div>
      </div>
      <div>
        <Title order={3} size="h6" mb={4}>
          Headers
        </Title>
        <Spoiler maxHeight={112} showLabel="Show all" hideLabel="Show fewer" fz="xs">
          <Table fz="xs" verticalSpacing={2} layout="fixed">
            <Table.Tbody>
              {response.headers.map(([name, value]) => (
                <Table.Tr key={`${name} ${value}`}>
                  <Table.Th scope="row" fw={500} w="38%" className={classes.header}>
                    {name}
                  </Table.Th>
                  <Table.Td className={classes.header}>{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Spoiler>
      </div>
    </Stack>
  );
}
