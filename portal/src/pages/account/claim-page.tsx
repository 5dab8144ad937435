import { Anchor, Button, Loader, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { api, unwrap } from "../../api/client.ts";
import { isConnectionLost } from "../../api/connection.ts";
import { t } from "../../api/locale.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { ProducerLink } from "../../display/producer-link.tsx";
import { words } from "../../display/words.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";

/** The page of the link in a claim's mail. Only the button claims, because mail scanners open links. */
export function ClaimPage() {
  const { hash: token } = useLocation();
  const body = { token };
  const offer = useQuery({
    queryKey: ["claim", token],
    queryFn: () => unwrap(api.POST("/claims/find", { body })),
    retry: isConnectionLost,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const prove = useMutation({ mutationFn: () => unwrap(api.POST("/claims/prove", { body })) });
  const error = prove.error ?? offer.error;
  return (
    <SignedOutPage title={prove.isSuccess ? t("entry.theBeatsAreYours") : t("entry.claimYourBeats")}>
      {error !== null && <ErrorAlert error={error} />}
      {offer.isPending && <Loader size="sm" aria-label={t("entry.loading")} />}
      {offer.isSuccess && !prove.isSuccess && (
        <Stack gap="sm">
          <Text size="sm">
            {words("entry.claimOffer", {
              producer: (
                <strong>
                  <ProducerLink id={offer.data.producer.id} name={offer.data.producer.name} />
                </strong>
              ),
              count: offer.data.producer.beats,
              email: <strong>{offer.data.email}</strong>,
            })}
          </Text>
          <Button onClick={() => prove.mutate()} loading={prove.isPending}>
            {t("entry.takeThemOver")}
          </Button>
        </Stack>
      )}
      {prove.isSuccess && (
        <Stack gap="sm">
          <Text size="sm">{words("entry.beatsBelongToAccount", { email: <strong>{offer.data?.email}</strong> })}</Text>
          {prove.data.is_new ? (
            <Text size="sm">
              {words("entry.newAccountChoosePassword", {
                link: (text) => (
                  <Anchor inherit renderRoot={(props) => <Link to="/forgot-password" {...props} />}>
                    {text}
                  </Anchor>
                ),
              })}
            </Text>
          ) : (
            <Anchor size="sm" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
              {t("shell.signIn")}
            </Anchor>
          )}
        </Stack>
      )}
    </SignedOutPage>
  );
}
