import { Avatar, Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { t } from "../../api/locale.ts";
import type { components } from "../../api/paths.ts";
import { withUploadedPicture } from "../../api/upload-picture.ts";
import { ownOrigin } from "../beats/own-origin.ts";
import { useSquareCrop } from "../crop/use-square-crop.tsx";
import { ErrorAlert } from "../error-alert.tsx";
import { Permitted } from "../permitted.tsx";

type Profile = components["schemas"]["User"];

interface PicturePartProps {
  profile: Pick<Profile, "avatar_url" | "display_name">;
  onChanged: (profile: Profile) => void;
}

const accept = ".png,.jpg,.jpeg,.webp";

/** Controls that choose, crop and remove the picture of a public profile. */
export function PicturePart({ profile, onChanged }: PicturePartProps) {
  const set = useMutation({
    mutationFn: (file: File) =>
      withUploadedPicture(file, (upload) => unwrap(api.PUT("/account/picture", { body: { upload } }))),
    onSuccess: onChanged,
  });
  const remove = useMutation({ mutationFn: () => unwrap(api.DELETE("/account/picture")), onSuccess: onChanged });
  const square = useSquareCrop(t("face.cropPictureTitle"), (file) => set.mutate(file));
  const { avatar_url: url } = profile;
  const error = set.error ?? remove.error;
  return (
    <Stack gap="xs">
      {error !== null && <ErrorAlert error={error} />}
      <Group gap="md">
        <Avatar
          src={url === null ? null : ownOrigin(url)}
          size={84}
          radius="md"
          alt={url === null ? "" : t("face.pictureAlt", { displayName: profile.display_name })}
        />
        <div>
          <Permitted to="studio:write">
            <Group gap="xs">
              <FileButton
                accept={accept}
                onChange={(file) => file !== null && void square.choose(file)}
                inputProps={{ "aria-label": t("face.chooseAProfilePicture") }}
              >
                {(props) => (
                  <Button {...props} size="xs" variant="default" loading={set.isPending}>
                    {url === null ? t("face.chooseAPicture") : t("face.chooseAnotherPicture")}
                  </Button>
                )}
              </FileButton>
              {url !== null && (
                <Button
                  size="xs"
                  variant="subtle"
                  color="gray"
                  loading={remove.isPending}
                  onClick={() => remove.mutate()}
                >
                  {t("face.removeThePicture")}
                </Button>
              )}
            </Group>
          </Permitted>
          <Text size="xs" c="dimmed" mt={4} role="status">
            {set.isPending && t("face.pictureSending")}
            {set.isSuccess && t("face.picturePublished")}
            {!set.isPending && !set.isSuccess && t("face.pictureFormatsHint")}
          </Text>
        </div>
      </Group>
      {square.dialog}
    </Stack>
  );
}
