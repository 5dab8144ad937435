import { Button, FileButton, Stack, Text, ThemeIcon } from "@mantine/core";
import { type Icon as IconComponent, IconUpload } from "@tabler/icons-react";
import { type DragEvent, type ReactNode, useState } from "react";
import classes from "./drop-zone.module.css";

interface DropZoneProps {
  /** The label of the button, which opens the browser's dialog: "Choose files". */
  action: string;
  /** What may be dropped. */
  children: ReactNode;
  /** As the `accept` of a file input. */
  accept: string;
  isMultiple?: boolean;
  isCompact?: boolean;
  icon?: IconComponent;
  onFiles: (files: File[]) => void;
}

/** Takes files that are dropped on it, or chosen by its button, which the keyboard reaches. */
export function DropZone({ action, children, accept, isMultiple, isCompact, icon, onFiles }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const Icon = icon ?? IconUpload;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(isMultiple === true ? files : files.slice(0, 1));
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const chosen = (files: File[] | File | null) => {
    const all = [files ?? []].flat();
    if (all.length > 0) onFiles(all);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a short cut for the button within
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      data-compact={isCompact || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Stack align="center" gap={isCompact === true ? 4 : "xs"} ta="center">
        {isCompact !== true && (
          <ThemeIcon variant="light" size={48} radius="xl">
            <Icon size={24} />
          </ThemeIcon>
        )}
        <Text size="sm" c="dimmed" component="div" maw={560}>
          {children}
        </Text>
        <FileButton
          onChange={chosen}
          accept={accept}
          multiple={isMultiple === true}
          inputProps={{ "aria-label": action }}
        >
          {(props) => (
            <Button
              {...props}
              variant={isCompact === true ? "default" : "filled"}
              size={isCompact === true ? "xs" : "sm"}
            >
              {action}
            </Button>
          )}
        </FileButton>
      </Stack>
    </div>
  );
}
