import { Button, FileButton, Stack, Text, ThemeIcon } from "@mantine/core";
import { type Icon as IconComponent, IconUpload } from "@tabler/icons-react";
import { type DragEvent, type ReactNode, useState } from "react";
import classes from "./drop-zone.module.css";

interface DropZoneProps {
  /** The label of the button, which opens the browser's dialog: "Choose files". */
  action: string;
  /** A text about the accepted files. */
  children: ReactNode;
  /** The accepted types, in the format of a file input's `accept`. */
  accept: string;
  isMultiple?: boolean;
  isCompact?: boolean;
  icon?: IconComponent;
  onFiles: (files: File[]) => void;
}

/** An area that accepts dropped files. A button opens the browser's file dialog, so that the keyboard suffices. */
export function DropZone({ action, children, accept, isMultiple, isCompact, icon, onFiles }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const Icon = icon ?? IconUpload;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(isMultiple === true ? files : files.slice(0, 1));
  };
  const allowDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const addFiles = (files: File[] | File | null) => {
    const chosenFiles = [files ?? []].flat();
    if (chosenFiles.length > 0) onFiles(chosenFiles);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a short cut for the button within
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      data-compact={isCompact || undefined}
      onDragEnter={allowDrop}
      onDragOver={allowDrop}
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
          onChange={addFiles}
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
