import { Alert, Button, Checkbox, Group, List, Paper, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../api/locale.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { Permitted } from "../../../display/permitted.tsx";
import { type BeatEdit, editBeats, type ListedBeat, useStudioMutation } from "../studio-queries.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { EditDialog } from "./edit-dialog.tsx";

interface SelectionBarProps {
  beats: readonly ListedBeat[];
  selectedBeats: readonly ListedBeat[];
  onSelect: (ids: readonly number[]) => void;
}

type Change = Omit<BeatEdit, "beat_id">;

/** The actions on all selected beats, their results, and a button to undo. */
export function SelectionBar({ beats, selectedBeats, onSelect }: SelectionBarProps) {
  const [dialog, setDialog] = useState<"edit" | "delete" | null>(null);
  // The titles at the time of the request, because the rows may have disappeared since.
  const [titles, setTitles] = useState<ReadonlyMap<number, string>>(new Map());
  const edit = useStudioMutation(editBeats);
  const send = (change: Change) => {
    setTitles(new Map(beats.map(({ id, title }) => [id, title])));
    edit.mutate(
      selectedBeats.map(({ id }) => ({ ...change, beat_id: id })),
      { onSuccess: () => setDialog(null) },
    );
  };
  const results = edit.data?.results ?? [];
  const refusedResults = results.filter(({ reason }) => reason !== null);
  const undos = results.flatMap(({ undo }) => undo ?? []);
  const isNone = selectedBeats.length === 0;
  return (
    <Paper withBorder p="xs" role="group" aria-label={t("studio.selectedBeats")}>
      <Permitted to="studio:write" isQuiet>
        <Group gap="xs">
          <Checkbox
            size="sm"
            label={isNone ? t("studio.selectAllOnThisPage") : t("studio.selected", { count: selectedBeats.length })}
            checked={selectedBeats.length === beats.length}
            indeterminate={!isNone && selectedBeats.length < beats.length}
            onChange={() => onSelect(selectedBeats.length === beats.length ? [] : beats.map(({ id }) => id))}
          />
          <Button size="xs" variant="default" disabled={isNone} onClick={() => setDialog("edit")}>
            {t("studio.editSelection")}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={isNone}
            loading={edit.isPending}
            onClick={() => send({ changes: { status: "published" } })}
          >
            {t("studio.publish")}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={isNone}
            loading={edit.isPending}
            onClick={() => send({ action: "withdraw" })}
          >
            {t("studio.unpublish")}
          </Button>
          <Button size="xs" variant="subtle" color="red" disabled={isNone} onClick={() => setDialog("delete")}>
            {t("studio.deleteSelection")}
          </Button>
        </Group>
      </Permitted>
      {dialog === null && edit.error !== null && <ErrorAlert error={edit.error} />}
      {results.length > 0 && dialog === null && (
        <Alert variant="light" color={refusedResults.length > 0 ? "orange" : "teal"} mt="xs" role="status">
          <Group gap="sm">
            <Text size="sm">
              {refusedResults.length === 0
                ? t("studio.done", { done: results.length })
                : t("studio.partlyDone", {
                    done: results.length - refusedResults.length,
                    refused: refusedResults.length,
                  })}
            </Text>
            {undos.length > 0 && (
              <Button size="compact-xs" variant="default" loading={edit.isPending} onClick={() => edit.mutate(undos)}>
                {t("studio.undo")}
              </Button>
            )}
          </Group>
          {refusedResults.length > 0 && (
            <List size="sm" mt={4}>
              {refusedResults.map(({ beat_id, reason }) => (
                <List.Item key={beat_id}>
                  <bdi>{titles.get(beat_id) ?? t("studio.beatWithId", { id: String(beat_id) })}</bdi>: {reason}
                </List.Item>
              ))}
            </List>
          )}
        </Alert>
      )}
      {dialog === "edit" && (
        <EditDialog
          count={selectedBeats.length}
          error={edit.error}
          isPending={edit.isPending}
          onSend={send}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === "delete" && (
        <DeleteDialog
          count={selectedBeats.length}
          error={edit.error}
          isPending={edit.isPending}
          onDelete={() => send({ action: "delete" })}
          onClose={() => setDialog(null)}
        />
      )}
    </Paper>
  );
}
