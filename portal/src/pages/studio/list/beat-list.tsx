import { Anchor, Button, Checkbox, Group, Image, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { IconMusic } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { t } from "../../../api/locale.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { ownOrigin } from "../../../display/beats/own-origin.ts";
import { EmptyState } from "../../../display/empty-state.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { Pager } from "../../../display/pager.tsx";
import { clockTime } from "../../../display/player/clock-time.ts";
import { RelativeTime } from "../../../display/relative-time.tsx";
import rows from "../../../display/rows.module.css";
import { words } from "../../../display/words.tsx";
import { momentText } from "../moment.ts";
import { beatsQuery, type Exclusive, type ListedBeat, optionsQuery } from "../studio-queries.ts";
import { beatStatuses, readStudioSearch, type StudioSearch } from "../studio-search.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { BeatStatusBadge, statusLabel } from "./status-badge.tsx";

/** The account's beats, by status. */
export function BeatList({ search }: { search: StudioSearch }) {
  const { data, error, isPending, refetch } = useQuery(beatsQuery(search));
  const navigate = useNavigate();
  const [selectedIds, setSelectedIds] = useState<readonly number[]>([]);
  const open = (to: StudioSearch) => void navigate({ to: "/studio", search: to });
  const counts = data?.counts;
  const total = counts === undefined ? 0 : Object.values(counts).reduce((sum, count) => sum + count, 0);
  const tabs = [
    { value: "all", label: t("studio.all", { total }) },
    ...beatStatuses.map((status) => ({ value: status, label: `${statusLabel(status)} (${counts?.[status] ?? 0})` })),
  ];
  return (
    <section aria-labelledby="beats">
      <Title order={2} size="h3" id="beats" mb="sm">
        {t("studio.yourBeats")}
      </Title>
      {isPending && <RowsSkeleton rows={3} height={72} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && total === 0 && (
        <EmptyState icon={IconMusic} title={t("studio.noBeatYet")}>
          {t("studio.noBeatHint")}
        </EmptyState>
      )}
      {data !== undefined && total > 0 && (
        <Stack gap="sm">
          <div style={{ overflowX: "auto" }}>
            <SegmentedControl
              size="xs"
              aria-label={t("studio.status")}
              data={tabs}
              value={search.show ?? "all"}
              onChange={(value) => open(value === "all" ? {} : { show: value as NonNullable<StudioSearch["show"]> })}
            />
          </div>
          {data.beats.length === 0 && data.page <= data.last_page && (
            <Text size="sm" c="dimmed">
              {t("studio.noneWithThisStatus")}
            </Text>
          )}
          {data.beats.length > 0 && (
            <SelectionBar
              key={`${search.show} ${data.page}`}
              beats={data.beats}
              selectedBeats={data.beats.filter(({ id }) => selectedIds.includes(id))}
              onSelect={setSelectedIds}
            />
          )}
          {data.beats.length > 0 && (
            <ul className={rows.rows}>
              {data.beats.map((beat) => (
                <BeatRow
                  key={beat.id}
                  beat={beat}
                  isSelected={selectedIds.includes(beat.id)}
                  onSelect={(isSelected) =>
                    setSelectedIds((before) =>
                      isSelected ? [...before, beat.id] : before.filter((each) => each !== beat.id),
                    )
                  }
                  exclusive={data.frozen.find(({ beat_id }) => beat_id === beat.id)?.exclusive ?? "available"}
                  isTakenDown={data.taken_down.includes(beat.id)}
                />
              ))}
            </ul>
          )}
          <Pager
            page={data.page}
            lastPage={data.last_page}
            onOpen={(page) => open(readStudioSearch({ ...search, page }))}
          />
        </Stack>
      )}
    </section>
  );
}

interface BeatRowProps {
  beat: ListedBeat;
  exclusive: Exclusive;
  isTakenDown: boolean;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
}

function BeatRow({ beat, exclusive, isTakenDown, isSelected, onSelect }: BeatRowProps) {
  const { status = "withdrawn", rejection, publish_at, bpm, key, duration, price } = beat;
  const currency = useQuery(optionsQuery).data?.currency ?? "USD";
  const facts = [
    beat.genre.name,
    bpm === 0 ? null : t("studio.bpm", { bpm }),
    key === "" ? null : key,
    duration === 0 ? null : clockTime(duration),
    moneyText(price, currency),
  ].filter((fact) => fact !== null);
  return (
    <li>
      <Group gap="sm" wrap="nowrap">
        <Checkbox
          aria-label={t("studio.select", { title: beat.title })}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
        />
        <Image src={ownOrigin(beat.cover_image)} alt="" w={56} h={56} radius="sm" fit="cover" />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Group gap="xs" wrap="nowrap">
            <Anchor
              fw={600}
              size="sm"
              truncate
              renderRoot={(props) => <Link to="/studio/beats/$beatId" params={{ beatId: beat.id }} {...props} />}
            >
              <bdi>{beat.title}</bdi>
            </Anchor>
            <BeatStatusBadge status={status} exclusive={exclusive} isTakenDown={isTakenDown} />
          </Group>
          <Text size="xs" c="dimmed">
            {facts.join(" · ")}
          </Text>
          {typeof rejection === "string" ? (
            <Text size="xs" c="red">
              {rejection}
            </Text>
          ) : (
            <Text size="xs" c="dimmed" component="div">
              {typeof publish_at === "string"
                ? t("studio.isPublishedOn", { publishAt: momentText(publish_at) })
                : words("studio.changed", { updatedAt: <RelativeTime at={beat.updated_at} /> })}
            </Text>
          )}
        </div>
        <Button
          size="xs"
          variant="default"
          visibleFrom="sm"
          aria-label={t("studio.editBeatLabel", { title: beat.title })}
          renderRoot={(props) => <Link to="/studio/beats/$beatId" params={{ beatId: beat.id }} {...props} />}
        >
          {t("studio.editButton")}
        </Button>
      </Group>
    </li>
  );
}
