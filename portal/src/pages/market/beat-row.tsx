import { Button, Group, Image, Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { optionsQuery } from "../../api/market.ts";
import { moneyText } from "../../display/beats/money.ts";
import { ownOrigin } from "../../display/beats/own-origin.ts";
import { Preview } from "../../display/beats/preview.tsx";
import type { ListedBeat } from "./market-queries.ts";

/** A beat to listen to, and the way to its licenses. */
export function BeatRow({ beat, onBuy }: { beat: ListedBeat; onBuy: () => void }) {
  const currency = useQuery(optionsQuery).data?.currency ?? "USD";
  const { title, producer_name, genre, bpm, key, price } = beat;
  return (
    <Paper withBorder p="xs" component="li">
      <Group gap="sm">
        <Group gap="sm" wrap="nowrap" flex="1 1 240px" miw={0}>
          <Image src={ownOrigin(beat.cover_image)} alt="" w={56} h={56} radius="sm" fit="cover" loading="lazy" />
          <div style={{ minWidth: 0 }}>
            <Text fw={600} size="sm" truncate>
              <bdi>{title}</bdi>
            </Text>
            <Text size="xs" c="dimmed" truncate>
              <bdi>{producer_name}</bdi>
            </Text>
            <Text size="xs" c="dimmed">
              {[genre.name, `${bpm} BPM`, key].filter((fact) => fact !== "").join(" · ")}
            </Text>
          </div>
        </Group>
        <div style={{ flex: "1 1 220px" }}>
          <Preview title={title} src={ownOrigin(beat.audio_url)} />
        </div>
        <Button
          variant="default"
          size="xs"
          aria-label={`Licenses of ${title}, from ${moneyText(price, currency)}`}
          onClick={onBuy}
        >
          From {moneyText(price, currency)}
        </Button>
      </Group>
    </Paper>
  );
}
