import { Anchor, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { loadChunk } from "../../../api/load-chunk.ts";
import { StatusBadge } from "../../../display/calls/status-badge.tsx";
import { Json } from "../../../display/code/json.tsx";
import type { Json as JsonValue } from "../../../display/code/json-values.ts";
import { aboutRefusal, DocsLink, placeOfRefusal } from "../../../display/docs-links.tsx";
import { Identifier } from "../../../display/identifier.tsx";
import { UntrustedText } from "../../../display/untrusted-text.tsx";
import type { ApiResponse } from "../call/send-call.ts";
import { beatsIn } from "./beat-media.ts";

// The players are loaded only for responses with beats.
const BeatPlayers = lazy(async () => ({
  default: (await loadChunk(() => import("./beat-players.tsx"))).BeatPlayers,
}));

const maxLength = 200_000;

/** A response: status, duration, size, link to the log, players for its beats, and the body. */
export function ResponseView({ response }: { response: ApiResponse }) {
  const { status, durationMs, requestId, text, json } = response;
  const beats = beatsIn(json);
  return (
    <>
      <Group gap="xs" role="status">
        <StatusBadge status={status} />
        <Text size="sm" c="dimmed">
          {Math.round(durationMs)} ms, {new Blob([text]).size.toLocaleString("en")} bytes
        </Text>
      </Group>
      {status >= 400 && <DocsLink place={placeOfRefusal(status, null)}>{aboutRefusal(status)}</DocsLink>}
      {requestId !== null && (
        <Group gap="xs" justify="space-between">
          <Identifier value={requestId} />
          <Anchor size="sm" renderRoot={(props) => <Link to="/log" search={{ request: requestId }} {...props} />}>
            See it in the log
          </Anchor>
        </Group>
      )}
      <Suspense>{beats.length > 0 && <BeatPlayers beats={beats} />}</Suspense>
      {text === "" ? (
        <Text size="sm" c="dimmed">
          The response has no body.
        </Text>
      ) : json === undefined ? (
        <UntrustedText text={text.length > maxLength ? `${text.slice(0, maxLength)}…` : text} label="Body" />
      ) : (
        <Json value={json as JsonValue} text={text} label="Body" maxHeight="none" />
      )}
    </>
  );
}
