import { Group, Pill, Stack, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../../api/client.ts";
import { t } from "../../../api/locale.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Select } from "../../../display/select.tsx";
import type { ListedBeat } from "../studio-queries.ts";

/** The maximum number of beats of a discount. */
const maxBeats = 200;
const maxPages = 25;

/** The account's newest beats, which are the choices. */
const allBeatsQuery = queryOptions({
  queryKey: ["studio", "all-beats"],
  queryFn: async () => {
    const beats: ListedBeat[] = [];
    for (let page = 1, last = 1; page <= Math.min(last, maxPages); page++) {
      const response = await unwrap(api.GET("/studio/beats", { params: { query: { page } } }));
      beats.push(...response.beats);
      last = response.last_page;
    }
    return beats;
  },
});

interface BeatPickerProps {
  /** The ids of the chosen beats; empty for all beats. */
  value: readonly number[];
  onChange: (ids: number[]) => void;
}

/** A field that chooses beats by title, or all beats of a genre. */
export function BeatPicker({ value, onChange }: BeatPickerProps) {
  const { data: beats = [], error, refetch } = useQuery(allBeatsQuery);
  const titles = new Map(beats.map(({ id, title }) => [id, title]));
  const genres = new Map(beats.map(({ genre }) => [String(genre.id), genre.name]));
  const otherBeats = beats.filter(({ id }) => !value.includes(id));
  const add = (ids: readonly number[]) => onChange([...new Set([...value, ...ids])].slice(0, maxBeats));
  return (
    <Stack gap="xs">
      <Group grow align="start">
        <Select
          label={t("nav.beats")}
          placeholder={t("studio.addABeat")}
          data={otherBeats.map(({ id, title }) => ({ value: String(id), label: `${title} (${id})` }))}
          value={null}
          onChange={(id) => id !== null && add([Number(id)])}
        />
        <Select
          label={t("studio.genre")}
          placeholder={t("studio.addAllOfAGenre")}
          data={[...genres].map(([value, label]) => ({ value, label }))}
          value={null}
          onChange={(genreId) =>
            genreId !== null && add(beats.filter(({ genre }) => String(genre.id) === genreId).map(({ id }) => id))
          }
        />
      </Group>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      <Text size="xs" c="dimmed" role="status">
        {value.length === 0
          ? t("studio.noneChosenAllBeats")
          : t(value.length === maxBeats ? "studio.maxBeatsChosen" : "studio.chosenOfMaxBeats", {
              chosen: value.length,
              max: maxBeats,
            })}
      </Text>
      {value.length > 0 && (
        <Pill.Group>
          {value.map((id) => (
            <Pill
              key={id}
              withRemoveButton
              removeButtonProps={{
                "aria-label": t("studio.removeBeat", { title: titles.get(id) ?? String(id) }),
                "aria-hidden": false,
                tabIndex: 0,
              }}
              onRemove={() => onChange(value.filter((each) => each !== id))}
            >
              <bdi>{titles.get(id) ?? t("studio.beatWithId", { id: String(id) })}</bdi>
            </Pill>
          ))}
        </Pill.Group>
      )}
    </Stack>
  );
}
