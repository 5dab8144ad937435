import { Button, Group } from "@mantine/core";
import { IconHeart, IconHeartFilled, IconUserCheck, IconUserPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { t } from "../../../api/locale.ts";
import { keptQuery, sendKept } from "../../../api/market.ts";
import { useAccount } from "../../../api/session.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";

interface KeepButtonsProps {
  beat: { id: number; user_id: number; producer_name: string };
}

/**
 * Buttons that make a beat a favorite and follow its producer. Producers cannot follow themselves. Signed-out users get
 * only the first button, which leads to the sign-in page and back.
 */
export function KeepButtons({ beat }: KeepButtonsProps) {
  const account = useAccount();
  const client = useQueryClient();
  const query = keptQuery(beat.id);
  const savedState = useQuery({ ...query, enabled: account !== null });
  const change = useMutation({
    mutationFn: (body: { favorite?: boolean; following?: boolean }) => sendKept(beat.id, body),
    onSuccess: (data) => client.setQueryData(query.queryKey, data),
  });
  if (account === null)
    return (
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconHeart size={16} />}
          renderRoot={(props) => <Link to="/sign-in" search={{ next: `/market/beats/${beat.id}` }} {...props} />}
        >
          {t("market.addToFavorites")}
        </Button>
      </Group>
    );
  const { favorite = false, following = false } = savedState.data ?? {};
  const isBusy = savedState.data === undefined || change.isPending;
  const error = change.error ?? savedState.error;
  return (
    <>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={favorite ? <IconHeartFilled size={16} /> : <IconHeart size={16} />}
          aria-pressed={favorite}
          disabled={isBusy}
          onClick={() => change.mutate({ favorite: !favorite })}
        >
          {favorite ? t("market.inYourFavorites") : t("market.addToFavorites")}
        </Button>
        {beat.user_id !== account.person_id && (
          <Button
            variant="default"
            leftSection={following ? <IconUserCheck size={16} /> : <IconUserPlus size={16} />}
            aria-pressed={following}
            aria-label={
              following
                ? t("market.followingProducer", { producerName: beat.producer_name })
                : t("market.followProducer", { producerName: beat.producer_name })
            }
            disabled={isBusy}
            onClick={() => change.mutate({ following: !following })}
          >
            {following ? t("market.followingButton") : t("market.followButton")}
          </Button>
        )}
      </Group>
      {error !== null && <ErrorAlert error={error} />}
    </>
  );
}
