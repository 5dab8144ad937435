import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ComponentType, useEffect, useId, useState } from "react";
import CropperModule, { type CropperProps } from "react-easy-crop";
import { t } from "../../api/locale.ts";
import { ErrorAlert } from "../error-alert.tsx";
import classes from "./crop-dialog.module.css";
import { cropFile, type PictureArea } from "./square.ts";

/** The package's types require properties that have defaults. */
const Cropper = CropperModule as unknown as ComponentType<Partial<CropperProps>>;

const maxZoom = 4;
const zoomStep = 0.05;
/** The distance that an arrow key moves the picture, in CSS pixels. */
const keyboardStepPx = 5;

export interface CropDialogProps {
  file: File;
  title: string;
  onCropped: (file: File) => void;
  onCancel: () => void;
}

/** Crops a picture to a square. Pointer, fingers or keys move and zoom the picture behind the frame. */
export function CropDialog({ file, title, onCropped, onCancel }: CropDialogProps) {
  const [url, setUrl] = useState<string>();
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<PictureArea | null>(null);
  const zoomId = useId();
  useEffect(() => {
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [file]);
  const cropping = useMutation({
    mutationFn: (cropArea: PictureArea) => cropFile(file, cropArea),
    // Cropping sends nothing, so it also works during an outage.
    networkMode: "always",
    onSuccess: onCropped,
  });
  return (
    <Modal opened onClose={onCancel} size="lg" title={title} closeButtonProps={{ "aria-label": t("shell.close") }}>
      <Stack gap="sm">
        <Text size="sm">{t("face.cropHint")}</Text>
        <div className={classes.stage}>
          {url !== undefined && (
            <Cropper
              image={url}
              aspect={1}
              crop={crop}
              zoom={zoom}
              maxZoom={maxZoom}
              keyboardStep={keyboardStepPx}
              onCropChange={setCrop}
              onZoomChange={setZoom}
              onCropComplete={(_, pixels) => setArea(pixels)}
              mediaProps={{ alt: "" }}
              cropperProps={{ role: "group", "aria-label": t("face.cropFrameLabel") }}
            />
          )}
        </div>
        <Group gap="sm" wrap="nowrap">
          <Text size="sm" component="label" htmlFor={zoomId}>
            {t("face.zoom")}
          </Text>
          <input
            id={zoomId}
            type="range"
            min={1}
            max={maxZoom}
            step={zoomStep}
            value={zoom}
            className={classes.zoom}
            onChange={({ currentTarget }) => setZoom(Number(currentTarget.value))}
          />
        </Group>
        {cropping.error !== null && <ErrorAlert error={cropping.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t("shell.cancel")}
          </Button>
          <Button
            disabled={area === null}
            loading={cropping.isPending}
            onClick={() => area !== null && cropping.mutate(area)}
          >
            {t("face.useThisPart")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
