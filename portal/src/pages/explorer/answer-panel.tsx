import { Badge, Button, Group, Paper, Spoiler, Stack, Table, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { CopyButton } from "../../display/copy-button.tsx";
import { Identifier } from "../../display/identifier.tsx";
import { BeatPlayers } from "./beat-players.tsx";
import classes from "./explorer.module.css";
import { beatsIn } from "./media.ts";
import type { Run } from "./run.ts";

const shownLength = 200_000;
const statusColors: Record<number, string> = { 2: "teal", 3: "blue", 4: "orange", 5: "red" };

/** What came back: status, the way to the log, beats to hear, the body and its headers. */
export function AnswerPanel({ run, isSending }: { run: Run | null; isSending: boolean }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Answer" aria-busy={isSending}>
      {run === null ? (
        <Text size="sm" c="dimmed">
          Press Send, and the answer stands here.
        </Text>
      ) : (
        <Answer run={run} />
      )}
    </Paper>
  );
}

/** Characters that turn the direction of what follows are written out, as JSON may have them. */
const visible = (text: string): string =>
  text.replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`);

function Answer({ run }: { run: Run }) {
  const { status, durationMs, requestId, text, json } = run;
  const body = visible(json === undefined ? text : JSON.stringify(json, null, 2));
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
              renderRoot={(its) => <Link to="/log" search={{ request: requestId }} {...its} />}
            >
              See it in the log
            </Button>
          </Group>
        )}
      </Group>
      {beats.length > 0 && <BeatPlayers beats={beats} />}
      <div className={classes.code}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
        <pre className={classes.answer} tabIndex={0}>
          {body.length > shownLength
            ? `${body.slice(0, shownLength)}\n… ${body.length - shownLength} characters more`
            : body}
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
              {run.headers.map(([name, value]) => (
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
