import { Button, Group, List, Paper, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../../../api/locale.ts";
import { useUnsavedWork } from "../../../api/unsaved-work.ts";
import { DecimalInput } from "../../../display/decimal-input.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Select } from "../../../display/select.tsx";
import { makeBeats, type Options, optionsQuery, type Upload, useStudioMutation } from "../studio-queries.ts";

interface AllUploadsProps {
  /** The recordings that have arrived. */
  uploads: readonly Upload[];
  /** The number of recordings that are still being sent. */
  arriving: number;
}

/** Creates beats from up to 20 recordings, with one genre and price, and with the producer's defaults. */
export function AllUploads(props: AllUploadsProps) {
  const { data } = useQuery(optionsQuery);
  return data === undefined ? null : <Form options={data} {...props} />;
}

function Form({ uploads, arriving, options }: AllUploadsProps & { options: Options }) {
  const { draft_defaults: defaults } = options;
  const [genre, setGenre] = useState(defaults.genre);
  const [price, setPrice] = useState(defaults.price);
  const [usedDefaults, setUsedDefaults] = useState({ genre, price });
  const make = useStudioMutation(
    (status: "draft" | "published") =>
      makeBeats({
        upload_ids: uploads.slice(0, maxAtOnce).map(({ id }) => id),
        status,
        ...(genre !== null && { genre }),
        ...(price !== null && { price }),
      }),
    () => setUsedDefaults({ genre, price }),
  );
  useUnsavedWork(genre !== usedDefaults.genre || price !== usedDefaults.price);
  const refusedResults = make.data?.results.filter(({ reason }) => reason !== null) ?? [];
  const createdBeats = (make.data?.results.length ?? 0) - refusedResults.length;
  const names = new Map(uploads.map(({ id, filename }) => [id, filename]));
  const isReady = arriving === 0 && genre !== null && price !== null && uploads.length > 0;
  const arrivedText = createdBeats > 0 ? t("studio.beatsMade", { count: createdBeats }) : t("studio.allRecordingsHint");
  return (
    <Paper withBorder p="sm" component="section" aria-label={t("studio.allRecordingsAtOnce")}>
      <Group gap="sm" align="flex-end">
        <Select
          label={t("studio.genreOfAll")}
          placeholder={t("studio.chooseOne")}
          data={options.genres.map(({ name }) => name)}
          value={genre}
          onChange={setGenre}
        />
        <DecimalInput
          label={t("studio.basicPriceOfAll", { currency: options.currency })}
          min={0}
          max={21_474_836.47}
          isMoney
          value={price}
          onChange={setPrice}
        />
        <Button
          variant="default"
          disabled={!isReady}
          loading={make.isPending && make.variables === "draft"}
          onClick={() => make.mutate("draft")}
        >
          {t("studio.makeDrafts")}
        </Button>
        <Button
          disabled={!isReady}
          loading={make.isPending && make.variables === "published"}
          onClick={() => make.mutate("published")}
        >
          {t("studio.publishAll", { count: Math.min(uploads.length, maxAtOnce) })}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt="xs" role="status">
        {arriving > 0 ? t("studio.stillOnTheirWay", { arriving }) : arrivedText}
      </Text>
      {make.error !== null && <ErrorAlert error={make.error} />}
      {refusedResults.length > 0 && (
        <List size="sm" mt="xs" aria-label={t("studio.notMade")}>
          {refusedResults.map(({ upload_id, reason }) => (
            <List.Item key={upload_id}>
              <bdi>{names.get(upload_id) ?? upload_id}</bdi>: {reason}
            </List.Item>
          ))}
        </List>
      )}
    </Paper>
  );
}

/** The maximum number of beats per request. */
const maxAtOnce = 20;
